package dev.equipoise.performance.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.protocol.Synchronization.Bsp;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class GradientBucketTest {

    /** 144 x 64 and 64 x 4 weights: 37,120 and 1,040 bytes with biases. */
    private static final Architecture PERCEPTRON =
            new Architecture(
                    "perceptron",
                    new Shape.Image(12, 12, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(64),
                            new Layer.Relu(),
                            new Layer.Dense(4)));

    /** Forward pass: flatten 144, 144 x 64, ReLU 64, 64 x 4. */
    private static final double FORWARD = 144 + 9216 + 64 + 256;

    /** Backward pass of the second layer: twice its work. */
    private static final double SECOND = 2 * 256;

    /** Backward pass of ReLU, twice, and of the first layer, once. */
    private static final double REST = 2 * 64 + 9216;

    private static final double READY = (FORWARD + SECOND) / (FORWARD + SECOND + REST);

    @Test
    void lastLayerIsReadyFirstAndTheFirstLayerAtTheEnd() {
        assertThat(GradientReadiness.of(PERCEPTRON))
                .containsExactly(new GradientReadiness(37_120, READY), new GradientReadiness(0, 1));
    }

    /** A filter of 3 x 3 x 2 numbers works at each of the 16 pixels of the output. */
    @Test
    void convolutionWorksAtEachPixel() {
        var network =
                new Architecture(
                        "convolution",
                        new Shape.Image(4, 4, 2),
                        List.of(
                                new Layer.Convolution(5, 3, 1, 1),
                                new Layer.Flatten(),
                                new Layer.Dense(3)));
        double convolution = 9 * 2 * 5 * 16;
        double dense = 80 * 3;
        double forward = convolution + 80 + dense;
        double total = forward + 2 * dense + 2 * 80 + convolution;

        assertThat(GradientReadiness.of(network))
                .containsExactly(
                        new GradientReadiness(4 * 95, (forward + 2 * dense) / total),
                        new GradientReadiness(0, 1));
    }

    @Test
    void layersAreReadyInDescendingOrder() {
        for (Preset preset : List.of(Preset.MNIST_CNN, Preset.CIFAR_CNN)) {
            assertThat(GradientReadiness.of(preset.architecture()))
                    .isSortedAccordingTo((one, other) -> Long.compare(other.offset(), one.offset()))
                    .isSortedAccordingTo(
                            (one, other) -> Double.compare(one.fraction(), other.fraction()));
        }
    }

    @Test
    void bucketIsCompleteWithTheLayerThatFillsIt() {
        assertThat(GradientBucket.of(new Bsp(true, 25.0, 0.001), PERCEPTRON))
                .containsExactly(
                        new GradientBucket(37_120, 1_040, READY), new GradientBucket(0, 37_120, 1));
        assertThat(GradientBucket.of(new Bsp(true, 25.0, 0.002), PERCEPTRON))
                .containsExactly(new GradientBucket(0, 38_160, 1));
    }

    @Test
    void sizeOfLaterBucketsIsTheirOwn() {
        var network =
                new Architecture(
                        "four layers",
                        new Shape.Vector(10),
                        List.of(
                                new Layer.Dense(10),
                                new Layer.Dense(10),
                                new Layer.Dense(10),
                                new Layer.Dense(10)));

        assertThat(GradientBucket.of(new Bsp(false, 880e-6, 440e-6), network))
                .extracting(GradientBucket::bytes)
                .containsExactly(440L, 880L, 440L);
    }

    @Test
    void bucketsWithoutOverlapAreReadyAtTheEnd() {
        assertThat(GradientBucket.of(new Bsp(false, 25.0, 0.001), PERCEPTRON))
                .extracting(GradientBucket::ready)
                .containsExactly(1.0, 1.0);
    }

    @Test
    void wholeGradientHasNoBuckets() {
        assertThat(GradientBucket.of(new Bsp(), PERCEPTRON)).isEmpty();
    }

    @Test
    void rejectsEmptyBuckets() {
        assertThatThrownBy(() -> new GradientBucket(0, 0, 1))
                .hasMessage(
                        "a bucket of 0 bytes at byte 0 that is ready after 1.0 of the round is out"
                                + " of range: at least 1 byte, and a fraction from 0 to 1");
    }
}
