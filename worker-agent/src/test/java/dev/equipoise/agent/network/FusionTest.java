package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Stage;
import dev.equipoise.protocol.network.Window.Rounding;
import java.util.List;
import org.junit.jupiter.api.Test;

class FusionTest {
    private static final Architecture MNIST = Preset.MNIST_CNN.architecture();
    private static final Convolution CONVOLUTION = new Convolution(20, 5, 1, 0);

    @Test
    void poolsBeforeTheReluAndKeepsTheParametersInPlace() {
        List<Fusion> plan = Fusion.of(MNIST, false);

        assertThat(plan.subList(0, 3))
                .extracting(fusion -> fusion.stage().layer())
                .containsExactly(CONVOLUTION, MaxPool.of(2), new Relu());
        assertThat(plan).noneMatch(Fusion::fused);
        assertThat(plan.getLast().stage()).isEqualTo(MNIST.stages().getLast());
        assertThat(plan)
                .extracting(fusion -> fusion.stage().offset())
                .isEqualTo(MNIST.stages().stream().map(Stage::offset).toList());
    }

    @Test
    void precedingLayerAppliesTheReluAcrossAPool() {
        assertThat(Fusion.of(MNIST, true))
                .extracting(Fusion::fused)
                .containsExactly(true, false, true, true, false, true, false, true, true, false);
    }

    @Test
    void averagePoolIsNotReordered() {
        var pool = new AveragePool(2, 2, 0, Rounding.DOWN);
        var network =
                new Architecture(
                        "mean",
                        new Image(28, 28, 1),
                        List.of(CONVOLUTION, pool, new Relu(), new Flatten()));

        assertThat(Fusion.of(network, true)).extracting(Fusion::fused).containsOnly(false);
    }
}
