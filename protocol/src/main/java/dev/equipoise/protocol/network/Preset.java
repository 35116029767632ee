package dev.equipoise.protocol.network;

import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Tokens;
import dev.equipoise.protocol.network.Shape.Vector;
import dev.equipoise.protocol.network.Window.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Network presets of the papers with which this product compares itself (docs/algorithms.md,
 * section 12.1). A preset adapts to any data set of the right kind, which determines its input and
 * its number of scores.
 */
public enum Preset {
    /** NETtalk's perceptron as in Ozawa, Sugaya and Aso: 22,900 weights and 126 biases. */
    MLP_203_100_26("mlp-203-100-26", new Vector(203), 26) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(new Dense(100), new Sigmoid(), new Dense(scores), new Sigmoid());
        }
    },

    /** Perceptron for images of digits. */
    MLP_784_512_10("mlp-784-512-10", new Image(28, 28, 1), 10) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(new Flatten(), new Dense(512), new Relu(), new Dense(scores));
        }
    },

    /** Moreno-Álvarez et al., table II; without padding, which the table does not state. */
    MNIST_CNN("mnist-cnn", new Image(28, 28, 1), 10) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(
                    new Convolution(20, 5, 1, 0),
                    new Relu(),
                    MaxPool.of(2),
                    new Convolution(50, 5, 1, 0),
                    new Relu(),
                    MaxPool.of(2),
                    new Flatten(),
                    new Dense(500),
                    new Relu(),
                    new Dense(scores));
        }
    },

    /** Caffe's cifar10_quick, whose pooling rounds up: 32, 16, 8, 4 pixels a side. */
    CIFAR_QUICK("cifar-quick", new Image(32, 32, 3), 10) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(
                    new Convolution(32, 5, 1, 2),
                    new MaxPool(3, 2, 0, Rounding.UP),
                    new Relu(),
                    new Convolution(32, 5, 1, 2),
                    new Relu(),
                    new AveragePool(3, 2, 0, Rounding.UP),
                    new Convolution(64, 5, 1, 2),
                    new Relu(),
                    new AveragePool(3, 2, 0, Rounding.UP),
                    new Flatten(),
                    new Dense(64),
                    new Dense(scores));
        }
    },

    /** Two 3x3 convolutions and a wide dense layer, for benchmarks. */
    CIFAR_CNN("cifar-cnn", new Image(32, 32, 3), 10) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(
                    new Convolution(32, 3, 1, 1),
                    new Relu(),
                    MaxPool.of(2),
                    new Convolution(64, 3, 1, 1),
                    new Relu(),
                    MaxPool.of(2),
                    new Flatten(),
                    new Dense(512),
                    new Relu(),
                    new Dense(scores));
        }
    },

    /**
     * Neural language model (Bengio et al. 2003) without direct connections; the preceding words
     * are the input.
     */
    FEED_FORWARD_LM("feed-forward-lm", new Tokens(4, 49_036), 49_036) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(
                    new Embedding(hidden),
                    new Flatten(),
                    new Dense(hidden),
                    new Tanh(),
                    new Dense(scores));
        }
    },

    /** Simple recurrent language model (Mikolov et al. 2010). */
    RNN_LM("rnn-lm", new Tokens(20, 49_036), 49_036) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(new Embedding(hidden), new Rnn(hidden), new Dense(scores));
        }
    },

    /** Recurrent language model with an LSTM. */
    LSTM_LM("lstm-lm", new Tokens(20, 49_036), 49_036) {
        @Override
        List<Layer> layers(int scores, int hidden) {
            return List.of(new Embedding(hidden), new Lstm(hidden), new Dense(scores));
        }
    };

    /** Default number of features of a word and of units of the hidden layer. */
    public static final int HIDDEN = 1024;

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // All shapes are records of numbers.
    private final Shape input;

    private final int scores;

    Preset(String label, Shape input, int scores) {
        this.label = label;
        this.input = input;
        this.scores = scores;
    }

    public static Optional<Preset> named(String label) {
        return Arrays.stream(values()).filter(preset -> preset.label.equals(label)).findFirst();
    }

    public String label() {
        return label;
    }

    /** Returns the input shape of the published network. */
    public Shape input() {
        return input;
    }

    /** Returns whether {@code hidden} applies to the preset. */
    public boolean isLanguageModel() {
        return input instanceof Tokens;
    }

    /** Returns the published network. */
    public Architecture architecture() {
        return architecture(input, scores, HIDDEN);
    }

    /**
     * Creates the network for a data set.
     *
     * @param scores of the last layer: classes, words, or the length of a target code
     * @param hidden features of a word and units of the hidden layer; language models only
     * @throws LayerMismatch if the preset cannot take the input
     */
    public Architecture architecture(Shape input, int scores, int hidden) {
        boolean isPublished =
                input.equals(this.input)
                        && scores == this.scores
                        && (hidden == HIDDEN || !isLanguageModel());
        List<Layer> layers = layers(scores, hidden);
        return isPublished
                ? new Architecture(label, input, layers)
                : Architecture.of(label, input, layers);
    }

    abstract List<Layer> layers(int scores, int hidden);
}
