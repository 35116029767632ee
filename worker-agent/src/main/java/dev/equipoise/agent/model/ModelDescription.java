package dev.equipoise.agent.model;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.model.InputScaling;
import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.model.ModelMetadata;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Description of a trained model, which its file contains as metadata ({@link ModelMetadata}).
 *
 * @param epoch number of trained epochs
 * @param accuracy on the test set, from 0 to 1; null if it was not evaluated
 * @param definition resolved definition of the run, as JSON; null until the service adds it
 * @param classNames in the order of the labels; empty if the classes have numbers only
 */
public record ModelDescription(
        RunId run,
        int epoch,
        @Nullable Double accuracy,
        @Nullable String definition,
        Architecture network,
        DatasetSpec dataset,
        Loss loss,
        List<String> classNames) {

    /** Accepts unknown and missing fields, since another version may have written the file. */
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    public ModelDescription {
        classNames = List.copyOf(classNames);
    }

    /** Returns the metadata of the model's file. */
    public Map<String, String> toMetadata() {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(ModelMetadata.FORMAT, ModelMetadata.PYTORCH);
        metadata.put(ModelMetadata.VERSION, ModelMetadata.CURRENT_VERSION);
        metadata.put(ModelMetadata.RUN, run.toString());
        metadata.put(ModelMetadata.EPOCH, Integer.toString(epoch));
        if (accuracy != null) {
            metadata.put(ModelMetadata.ACCURACY, accuracy.toString());
        }
        putSamples(metadata);
        metadata.put(ModelMetadata.NETWORK, JSON.writeValueAsString(network));
        metadata.put(ModelMetadata.LOSS, JSON.writeValueAsString(loss));
        metadata.put(ModelMetadata.DATASET, JSON.writeValueAsString(dataset));
        if (definition != null) {
            metadata.put(ModelMetadata.DEFINITION, definition);
        }
        return metadata;
    }

    /** Adds what a program needs to prepare samples and to read scores. */
    private void putSamples(Map<String, String> metadata) {
        metadata.put(ModelMetadata.INPUT_SHAPE, JSON.writeValueAsString(sides(network.input())));
        InputScaling.of(dataset)
                .map(JSON::writeValueAsString)
                .ifPresent(scaling -> metadata.put(ModelMetadata.NORMALIZATION, scaling));
        if (!classNames.isEmpty()) {
            metadata.put(ModelMetadata.CLASS_NAMES, JSON.writeValueAsString(classNames));
        }
    }

    /** Returns the name of the number that ranks the classes: probability or score. */
    String valueName() {
        return loss.kind() == Loss.Kind.SOFTMAX_CROSS_ENTROPY ? "probability" : "score";
    }

    /** Returns the sides of a shape in PyTorch's order. */
    static List<Integer> sides(Shape input) {
        return switch (input) {
            case Shape.Image(int height, int width, int channels) ->
                    List.of(channels, height, width);
            case Shape.Vector(int length) -> List.of(length);
            case Shape.Tokens(int length, int _) -> List.of(length);
            case Shape.Sequence(int length, int features) -> List.of(length, features);
        };
    }

    /**
     * Reads the metadata of a model's file.
     *
     * @throws ModelFileInvalid if one is missing or invalid, or the file was written by a newer
     *     version
     */
    public static ModelDescription of(Map<String, String> metadata) {
        requireVersion(required(metadata, ModelMetadata.VERSION));
        return new ModelDescription(
                run(metadata),
                epoch(metadata),
                accuracy(metadata),
                metadata.get(ModelMetadata.DEFINITION),
                parsed(metadata, ModelMetadata.NETWORK, json(Architecture.class)),
                parsed(metadata, ModelMetadata.DATASET, json(DatasetSpec.class)),
                parsed(metadata, ModelMetadata.LOSS, json(Loss.class)),
                classNames(metadata));
    }

    private static void requireVersion(String version) {
        if (!version.equals(ModelMetadata.CURRENT_VERSION)) {
            throw new ModelFileInvalid(
                    "the file has the model version %s, but this version reads %s: update Equipoise"
                            .formatted(version, ModelMetadata.CURRENT_VERSION));
        }
    }

    private static RunId run(Map<String, String> metadata) {
        return parsed(metadata, ModelMetadata.RUN, text -> RunId.of(UUID.fromString(text)));
    }

    private static int epoch(Map<String, String> metadata) {
        return parsed(metadata, ModelMetadata.EPOCH, text -> Integer.valueOf(text));
    }

    private static @Nullable Double accuracy(Map<String, String> metadata) {
        return metadata.containsKey(ModelMetadata.ACCURACY)
                ? parsed(metadata, ModelMetadata.ACCURACY, text -> Double.valueOf(text))
                : null;
    }

    private static List<String> classNames(Map<String, String> metadata) {
        if (!metadata.containsKey(ModelMetadata.CLASS_NAMES)) {
            return List.of();
        }
        String[] names = parsed(metadata, ModelMetadata.CLASS_NAMES, json(String[].class));
        return Stream.of(names).map(Objects::toString).toList();
    }

    private static String required(Map<String, String> metadata, String name) {
        String text = metadata.get(name);
        if (text == null) {
            throw new ModelFileInvalid(
                    "the file has no metadata %s: it is no model of Equipoise".formatted(name));
        }
        return text;
    }

    private static <T> T parsed(
            Map<String, String> metadata, String name, Function<String, T> parser) {
        String text = required(metadata, name);
        try {
            T value = parser.apply(text);
            if (value != null) {
                return value;
            }
        } catch (IllegalArgumentException | JacksonException e) {
            throw new ModelFileInvalid(
                    "the metadata %s of the file are invalid: %s".formatted(name, e.getMessage()),
                    e);
        }
        throw new ModelFileInvalid("the metadata %s of the file are null".formatted(name));
    }

    private static <T> Function<String, T> json(Class<T> type) {
        return text -> JSON.readValue(text, type);
    }
}
