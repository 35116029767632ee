package dev.equipoise.performance.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class FrameSizeTest {

    /** 100,000 weights in one matrix of 999 rows and 100 columns, and 100 biases. */
    private static final Architecture NETWORK =
            new Architecture("one layer", new Shape.Vector(999), List.of(new Layer.Dense(100)));

    private static double bytes(Compression compression) {
        return FrameSize.of(compression, NETWORK, 1).bytes();
    }

    @Test
    void uncompressedElementsTakeFourBytes() {
        assertThat(bytes(new Compression.None())).isEqualTo(400_000);
    }

    @Test
    void qsgdTakesItsBitsPerElementAndANormPerBucket() {
        // 195 whole buckets of 4 + 256 bytes, and one of 160 elements.
        assertThat(bytes(new Compression.Qsgd(4, 512, false))).isEqualTo(195 * 260 + 4 + 80);
    }

    @Test
    void signTakesOneBitPerElementAndAMagnitudePerLayer() {
        assertThat(bytes(new Compression.Sign(true))).isEqualTo(4 + 12_500);
    }

    @Test
    void powerSgdTakesTwoFactorsAndUncompressedBiases() {
        assertThat(bytes(new Compression.PowerSgd(4))).isEqualTo(4 * (4 * (999 + 100) + 100));
    }

    @Test
    void randomKTakesValuesWithoutIndices() {
        assertThat(bytes(new Compression.RandomK(0.01, true))).isEqualTo(4_000);
    }

    /** 25,557,032 elements and 1 %: docs/benchmarks.md has 1,348,616 with the header. */
    @Test
    void sparseFramesTakeTheShortestIndexCoding() {
        var large =
                new Architecture(
                        "large", new Shape.Vector(25_557_031), List.of(new Layer.Dense(1)));

        assertThat(FrameSize.of(new Compression.TopK(0.01, true), large, 1).bytes())
                .isCloseTo(1_348_584, Percentage.withPercentage(0.1));
        assertThat(bytes(new Compression.TopK(0.5, true)))
                .as("a bitmap")
                .isEqualTo(200_000 + 12_500, within(1.0));
    }

    @Test
    void sizeIsGuessedIfItDependsOnTheValues() {
        assertThat(FrameSize.of(new Compression.Threshold(0.1, true), NETWORK, 1).isGuessed())
                .isTrue();
        assertThat(FrameSize.of(new Compression.TopK(0.1, true), NETWORK, 1).isGuessed()).isFalse();
    }

    @Test
    void sumsOfSparseFramesAreDenserThanOneFrame() {
        var compression = new Compression.TopK(0.01, true);

        double alone = FrameSize.ofSum(compression, NETWORK, 1, 1).bytes();
        double ofEight = FrameSize.ofSum(compression, NETWORK, 1, 8).bytes();

        assertThat(alone).isEqualTo(bytes(compression));
        assertThat(ofEight).isBetween(6 * alone, 8 * alone);
    }
}
