package dev.equipoise.benchmarks.step;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.util.Arrays;
import java.util.Optional;

/** Networks of the peer's script, with its names. */
enum BenchmarkNetwork {
    MLP("mlp"),
    MNIST_CNN("mnist-cnn"),
    CIFAR_CNN("cifar-cnn"),
    RNN_LM("rnn-lm"),
    LSTM_LM("lstm-lm");

    private static final int VOCABULARY = 10_000;
    private static final int HIDDEN = 256;
    private static final int STEPS = 20;

    private final String label;

    BenchmarkNetwork(String label) {
        this.label = label;
    }

    static Optional<BenchmarkNetwork> named(String label) {
        return Arrays.stream(values()).filter(net -> net.label.equals(label)).findFirst();
    }

    String label() {
        return label;
    }

    Architecture architecture() {
        return switch (this) {
            case MLP -> Preset.MLP_784_512_10.architecture();
            case MNIST_CNN -> Preset.MNIST_CNN.architecture();
            case CIFAR_CNN -> Preset.CIFAR_CNN.architecture();
            case RNN_LM -> languageModel(Preset.RNN_LM);
            case LSTM_LM -> languageModel(Preset.LSTM_LM);
        };
    }

    private static Architecture languageModel(Preset preset) {
        return preset.architecture(new Tokens(STEPS, VOCABULARY), VOCABULARY, HIDDEN);
    }
}
