package dev.equipoise.protocol.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Tokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PresetTest {

    @ParameterizedTest
    @CsvSource({
        "mlp-203-100-26,      23026",
        "mlp-784-512-10,     407050",
        "mnist-cnn,          431080",
        "cifar-quick,        145578",
        "cifar-cnn,         2122186",
        "feed-forward-lm, 104670092",
        "rnn-lm,          102572940",
        "lstm-lm,         108867468"
    })
    void presetHasThePublishedNumberOfParameters(String label, int parameters) {
        Preset preset = Preset.named(label).orElseThrow();

        assertThat(preset.architecture().parameterCount()).isEqualTo(parameters);
        assertThat(preset.architecture().name()).isEqualTo(label);
    }

    @Test
    void cifarQuickWith100ClassesHas151428Parameters() {
        Architecture network = Preset.CIFAR_QUICK.architecture(new Image(32, 32, 3), 100, 0);

        assertThat(network.parameterCount()).isEqualTo(151_428);
        assertThat(network.name()).startsWith("cifar-quick-");
    }

    @Test
    void parametersOfARecurrentModelDoNotDependOnTheLength() {
        Architecture network = Preset.LSTM_LM.architecture(new Tokens(5, 49_036), 49_036, 1024);

        assertThat(network.parameterCount()).isEqualTo(108_867_468);
    }

    @ParameterizedTest
    @EnumSource
    void equalNamesMeanEqualNetworks(Preset preset) {
        int scores = preset.architecture().scores() + 1;
        Architecture network = preset.architecture(preset.input(), scores, Preset.HIDDEN);

        assertThat(network.name()).isNotEqualTo(preset.label());
        assertThat(network).isEqualTo(preset.architecture(preset.input(), scores, Preset.HIDDEN));
    }

    @Test
    void imagePresetRejectsWords() {
        assertThatThrownBy(() -> Preset.MNIST_CNN.architecture(new Tokens(4, 100), 10, 0))
                .isInstanceOf(LayerMismatch.class)
                .hasMessageContaining("layer 0")
                .hasMessageContaining(
                        "takes an image of at least 5x5, but is given 4 words of 100");
    }

    @ParameterizedTest
    @CsvSource({"alexnet, 60965224", "googlenet, 6998552", "resnet-50, 25557032"})
    void communicationModelHasThePublishedNumberOfParameters(String label, int parameters) {
        assertThat(CommunicationModel.named(label).orElseThrow().parameterCount())
                .isEqualTo(parameters);
    }
}
