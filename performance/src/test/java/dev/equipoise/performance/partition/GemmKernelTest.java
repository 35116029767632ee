package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.performance.partition.SpeedFunction.Point;
import dev.equipoise.protocol.Partitioning;
import java.util.List;
import org.junit.jupiter.api.Test;

class GemmKernelTest {

    @Test
    void sizeIsTheNumberOfBlockProducts() {
        assertThat(GemmKernel.point(64, 0.5)).isEqualTo(new Point(1, 0.5));
        assertThat(GemmKernel.point(256, 0.5)).isEqualTo(new Point(64, 0.5));
        assertThat(GemmKernel.point(32, 0.5)).isEqualTo(new Point(0.125, 0.5));
    }

    /** Speeds in proportion to 1.01, 1.00 and 2.31 give the shares of the paper's table I. */
    @Test
    void proportionalGemmSpeedsGiveThePublishedShares() {
        List<SpeedFunction> speeds =
                List.of(1.01, 1.0, 2.31).stream().map(GemmKernelTest::ofSpeed).toList();

        assertThat(
                        Partitioner.functional(
                                EpochWork.of(60_000, 9, 3),
                                speeds,
                                Partitioning.Solver.GEOMETRIC,
                                Partitioning.ShareRounding.LARGEST_REMAINDER))
                .containsExactly(14_028, 13_889, 32_083);
    }

    private static SpeedFunction ofSpeed(double speed) {
        return SpeedFunction.piecewise(
                List.of(64, 128, 256, 512).stream()
                        .map(side -> GemmKernel.point(side, Math.pow(side, 3) / speed))
                        .toList());
    }
}
