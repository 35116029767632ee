package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Sequence;
import dev.equipoise.protocol.network.Shape.Tokens;
import dev.equipoise.protocol.network.Shape.Vector;

/** A layer without its weights. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
@JsonSubTypes({
    @JsonSubTypes.Type(value = Layer.Dense.class, name = "dense"),
    @JsonSubTypes.Type(value = Layer.Convolution.class, name = "conv2d"),
    @JsonSubTypes.Type(value = Layer.MaxPool.class, name = "maxPool"),
    @JsonSubTypes.Type(value = Layer.AveragePool.class, name = "averagePool"),
    @JsonSubTypes.Type(value = Layer.Relu.class, name = "relu"),
    @JsonSubTypes.Type(value = Layer.Sigmoid.class, name = "sigmoid"),
    @JsonSubTypes.Type(value = Layer.Tanh.class, name = "tanh"),
    @JsonSubTypes.Type(value = Layer.Flatten.class, name = "flatten"),
    @JsonSubTypes.Type(value = Layer.Dropout.class, name = "dropout"),
    @JsonSubTypes.Type(value = Layer.Embedding.class, name = "embedding"),
    @JsonSubTypes.Type(value = Layer.Rnn.class, name = "rnn"),
    @JsonSubTypes.Type(value = Layer.Lstm.class, name = "lstm")
})
public sealed interface Layer {

    /**
     * Returns the output shape for an input shape.
     *
     * @throws IllegalArgumentException if the layer cannot take the input; the message says what it
     *     takes
     */
    Shape output(Shape input);

    /** A layer with a square window that slides over an image. */
    sealed interface Windowed extends Layer {

        Window window();
    }

    /** A layer that maps each value independently. */
    sealed interface Elementwise extends Layer {

        @Override
        default Shape output(Shape input) {
            if (input instanceof Tokens) {
                throw new IllegalArgumentException("takes numbers, which an embedding makes");
            }
            return input;
        }
    }

    /** Fully connected layer; on a sequence, applied at each position. */
    record Dense(int units) implements Layer {

        public Dense {
            Sizes.positive("units", units);
        }

        @Override
        public Shape output(Shape input) {
            return switch (input) {
                case Vector _ -> new Vector(units);
                case Sequence(int length, int _) -> new Sequence(length, units);
                case Image _, Tokens _ ->
                        throw new IllegalArgumentException(
                                "takes a vector, which flatten makes, or a sequence");
            };
        }
    }

    /** 2D convolution with square filters and zero padding. */
    record Convolution(int filters, int kernel, int stride, int padding) implements Windowed {

        public Convolution {
            Sizes.positive("filters", filters);
            window(kernel, stride, padding);
        }

        @Override
        public Window window() {
            return window(kernel, stride, padding);
        }

        private static Window window(int kernel, int stride, int padding) {
            return new Window(kernel, stride, padding, Window.Rounding.DOWN);
        }

        @Override
        public Shape output(Shape input) {
            return window().over(input, filters);
        }
    }

    /** Max pooling over the part of each window within the image. */
    record MaxPool(int size, int stride, int padding, Window.Rounding rounding)
            implements Windowed {

        public MaxPool {
            new Window(size, stride, padding, rounding);
        }

        /** Creates adjacent windows without overlap. */
        public static MaxPool of(int size) {
            return new MaxPool(size, size, 0, Window.Rounding.DOWN);
        }

        @Override
        public Window window() {
            return new Window(size, stride, padding, rounding);
        }

        @Override
        public Shape output(Shape input) {
            return window().over(input);
        }
    }

    /** Average pooling over the part of each window within the image. */
    record AveragePool(int size, int stride, int padding, Window.Rounding rounding)
            implements Windowed {

        public AveragePool {
            new Window(size, stride, padding, rounding);
        }

        @Override
        public Window window() {
            return new Window(size, stride, padding, rounding);
        }

        @Override
        public Shape output(Shape input) {
            return window().over(input);
        }
    }

    record Relu() implements Elementwise {}

    record Sigmoid() implements Elementwise {}

    record Tanh() implements Elementwise {}

    /**
     * Inverted dropout (Srivastava et al. 2014): in training, sets each value to zero with the
     * given probability and scales the others, so that the expectation stays.
     */
    record Dropout(double rate) implements Elementwise {

        public Dropout {
            if (!(rate >= 0 && rate < 1)) {
                throw new IllegalArgumentException(
                        "rate must be at least 0 and below 1, but is " + rate);
            }
        }
    }

    /**
     * Flattens all values into one vector: row by row, position by position, channels innermost.
     */
    record Flatten() implements Layer {

        @Override
        public Shape output(Shape input) {
            if (input instanceof Tokens) {
                throw new IllegalArgumentException("takes numbers, which an embedding makes");
            }
            return new Vector(input.size());
        }
    }

    /** Embedding: one learned feature vector per word. */
    record Embedding(int features) implements Layer {

        public Embedding {
            Sizes.positive("features", features);
        }

        @Override
        public Shape output(Shape input) {
            return input instanceof Tokens(int length, int _)
                    ? new Sequence(length, features)
                    : reject("takes words");
        }
    }

    /**
     * Simple recurrent layer (Elman 1990): {@code h_t = tanh(x_t W + h_(t-1) U + b)}, where h_0 is
     * zero.
     */
    record Rnn(int units) implements Layer {

        public Rnn {
            Sizes.positive("units", units);
        }

        @Override
        public Shape output(Shape input) {
            return recurrent(input, units);
        }
    }

    /** Long short-term memory with a forget gate and without peepholes (Gers et al. 2000). */
    record Lstm(int units) implements Layer {

        public Lstm {
            Sizes.positive("units", units);
        }

        @Override
        public Shape output(Shape input) {
            return recurrent(input, units);
        }
    }

    private static Shape recurrent(Shape input, int units) {
        return input instanceof Sequence(int length, int _)
                ? new Sequence(length, units)
                : reject("takes a sequence");
    }

    private static Shape reject(String rule) {
        throw new IllegalArgumentException(rule);
    }
}
