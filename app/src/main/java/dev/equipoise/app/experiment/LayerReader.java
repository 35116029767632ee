package dev.equipoise.app.experiment;

import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;
import dev.equipoise.protocol.network.Window;
import dev.equipoise.protocol.network.Window.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a layer: a name as {@code relu}, a name with one number as {@code dense: 500}, or a name
 * with fields.
 */
final class LayerReader {

    private static final int MAX_UNITS = 1_000_000;
    private static final int MAX_WINDOW = 1000;
    private static final int MAX_STRIDE = 1000;
    private static final double MAX_RATE = 0.999;

    private static final List<String> KINDS =
            List.of(
                    "dense",
                    "conv2d",
                    "maxPool",
                    "averagePool",
                    "relu",
                    "sigmoid",
                    "tanh",
                    "flatten",
                    "dropout",
                    "embedding",
                    "rnn",
                    "lstm");

    private LayerReader() {}

    /** Returns empty after reporting a layer that cannot be read. */
    static Optional<Layer> read(JsonFieldReader.Element element) {
        return element.variant(KINDS).map(LayerReader::read);
    }

    private static Layer read(JsonFieldReader.Variant variant) {
        Layer layer =
                switch (variant.kind()) {
                    case "dense" -> new Dense(count(variant, "units"));
                    case "conv2d" -> convolution(variant.fields("filters"));
                    case "maxPool" -> maxPool(window(variant.fields("size")));
                    case "averagePool" -> averagePool(window(variant.fields("size")));
                    case "relu" -> plain(variant, new Relu());
                    case "sigmoid" -> plain(variant, new Sigmoid());
                    case "tanh" -> plain(variant, new Tanh());
                    case "flatten" -> plain(variant, new Flatten());
                    case "dropout" ->
                            new Dropout(variant.fields("rate").number("rate", 0.5, 0, MAX_RATE));
                    case "embedding" -> new Embedding(count(variant, "features"));
                    case "rnn" -> new Rnn(count(variant, "units"));
                    case "lstm" -> new Lstm(count(variant, "units"));
                    default -> throw new IllegalStateException("unknown layer " + variant.kind());
                };
        variant.fields("").end();
        return layer;
    }

    private static Layer plain(JsonFieldReader.Variant variant, Layer layer) {
        variant.plain();
        return layer;
    }

    private static int count(JsonFieldReader.Variant variant, String field) {
        return variant.fields(field).integer(field, null, 1, MAX_UNITS);
    }

    private static Convolution convolution(JsonFieldReader fields) {
        int kernel = fields.integer("kernel", null, 1, MAX_WINDOW);
        return new Convolution(
                fields.integer("filters", null, 1, MAX_UNITS),
                kernel,
                fields.integer("stride", 1, 1, MAX_STRIDE),
                fields.integer("padding", 0, 0, kernel - 1));
    }

    private static Layer maxPool(Window window) {
        return new MaxPool(window.size(), window.stride(), window.padding(), window.rounding());
    }

    private static Layer averagePool(Window window) {
        return new AveragePool(window.size(), window.stride(), window.padding(), window.rounding());
    }

    private static Window window(JsonFieldReader fields) {
        int size = fields.integer("size", null, 1, MAX_WINDOW);
        List<String> roundings =
                Arrays.stream(Rounding.values())
                        .map(rounding -> rounding.name().toLowerCase(Locale.ROOT))
                        .toList();
        int stride = fields.integer("stride", size, 1, MAX_STRIDE);
        int padding = fields.integer("padding", 0, 0, size - 1);
        String rounding = fields.oneOf("rounding", "down", roundings);
        return new Window(
                size, stride, padding, rounding.equals("up") ? Rounding.UP : Rounding.DOWN);
    }
}
