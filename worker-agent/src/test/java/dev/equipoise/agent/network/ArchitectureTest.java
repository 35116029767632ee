package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final Shape DIGIT = new Shape(28, 28, 1);

    @Test
    void mnistCnnHasThePublishedNumberOfParameters() {
        Architecture mnist = Architecture.preset("mnist-cnn");

        assertThat(mnist.parameterCount()).isEqualTo(431_080);
        assertThat(mnist.classes()).isEqualTo(10);
        assertThat(mnist.stages())
                .extracting(stage -> stage.output().toString())
                .containsExactly(
                        "24x24x20",
                        "24x24x20",
                        "12x12x20",
                        "8x8x50",
                        "8x8x50",
                        "4x4x50",
                        "1x1x500",
                        "1x1x500",
                        "1x1x10");
    }

    @Test
    void namesLayerAndShapeThatDoNotFit() {
        List<Layer> layers = List.of(new Convolution(4, 5), new MaxPool(5), new Dense(2));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Architecture("odd", DIGIT, layers))
                .withMessage(
                        "network odd, layer 1: MaxPool[size=5] cannot follow 24x24x4:"
                                + " height and width of the input must be multiples of 5");
    }

    @Test
    void refusesAFilterLargerThanItsInput() {
        List<Layer> layers = List.of(new Convolution(4, 29), new Dense(2));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Architecture("large", DIGIT, layers))
                .withMessageContaining("layer 0")
                .withMessageContaining("at least 29x29");
    }

    @Test
    void refusesAnEndThatIsNoVector() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Architecture("open", DIGIT, List.of(new Relu())))
                .withMessageContaining("ends in 28x28x1");
    }

    @Test
    void namesThePresetsThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Architecture.preset("mnist"))
                .withMessageContaining("mnist-cnn");
    }

    @Test
    void poolsBeforeItRectifiesAndLeavesTheParametersWhereTheyAre() {
        Architecture mnist = Architecture.preset("mnist-cnn");
        Architecture reordered = mnist.poolingBeforeRelu();

        assertThat(reordered.layers().subList(0, 3))
                .containsExactly(new Convolution(20, 5), new MaxPool(2), new Relu());
        assertThat(reordered.stages().getLast()).isEqualTo(mnist.stages().getLast());
    }
}
