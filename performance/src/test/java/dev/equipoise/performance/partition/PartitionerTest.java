package dev.equipoise.performance.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Partitioning.ShareRounding;
import dev.equipoise.protocol.Partitioning.Solver;
import dev.equipoise.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionerTest {

    private static List<Integer> functional(EpochWork work, List<SpeedFunction> speeds) {
        return Partitioner.functional(
                work, speeds, Solver.GEOMETRIC, ShareRounding.LARGEST_REMAINDER);
    }

    private static List<SpeedFunction> constant(double... unitsPerSecond) {
        return DoubleStream.of(unitsPerSecond).mapToObj(SpeedFunction::constant).toList();
    }

    @Test
    void sharesMatchThePaper() {
        assertThat(functional(EpochWork.of(60_000, 1, 3), constant(1.01, 1, 2.31)))
                .containsExactly(14_028, 13_889, 32_083);
    }

    /** Speed functions are over a mini-batch, shares over an epoch. */
    @Test
    void sharesCoverAnEpochOfEqualRounds() {
        assertThat(functional(EpochWork.of(60_000, 312, 2), constant(300, 100)))
                .containsExactly(45_000, 15_000);
    }

    @Test
    void sharesReflectTheOverheadOfASmallBatch() {
        SpeedFunction flat =
                SpeedFunction.piecewise(
                        List.of(
                                new SpeedFunction.Point(10, 1.0),
                                new SpeedFunction.Point(100, 1.9)));
        SpeedFunction line = SpeedFunction.constant(20);

        List<Integer> shares = functional(EpochWork.of(1000, 10, 2), List.of(flat, line));

        assertThat(flat.seconds(shares.get(0) / 10.0))
                .isEqualTo(line.seconds(shares.get(1) / 10.0), within(0.01));
    }

    @Test
    void equalSharesDifferByAtMostOne() {
        assertThat(Partitioner.equal(60_000, 3)).containsExactly(20_000, 20_000, 20_000);
        assertThat(Partitioner.equal(11, 4)).containsExactly(3, 3, 3, 2);
        assertThat(Partitioner.equal(2, 3)).containsExactly(1, 1, 0);
    }

    @Test
    void sharesAreProportionalToBatchCounts() {
        assertThat(Partitioner.inProportion(60_000, List.of(1, 1, 2)))
                .containsExactly(15_000, 15_000, 30_000);
        assertThat(Partitioner.inProportion(100, List.of(3, 3, 7))).containsExactly(23, 23, 54);
        assertThat(Partitioner.inProportion(7, List.of(5))).containsExactly(7);
    }

    @Test
    void rankAtItsMemoryBoundLeavesTheRestToTheOthers() {
        assertThat(functional(new EpochWork(1000, 10, List.of(30, 1000, 1000)), constant(5, 1, 1)))
                .containsExactly(300, 350, 350);
        assertThat(functional(new EpochWork(1000, 10, List.of(30, 34, 1000)), constant(5, 1, 1)))
                .containsExactly(300, 340, 360);
        assertThat(functional(new EpochWork(1000, 10, List.of(30, 30, 40)), constant(5, 1, 1)))
                .containsExactly(300, 300, 400);
    }

    @Test
    void rejectsMoreSamplesThanFitIntoMemory() {
        assertThatThrownBy(() -> new EpochWork(1000, 10, List.of(30, 30, 30)))
                .hasMessage(
                        "1000 samples in 10 rounds exceed the memory of the ranks by 100: they have"
                                + " memory for [30, 30, 30] samples a round");
    }

    @ParameterizedTest
    @EnumSource
    void sharesAlwaysSumToTheSamples(ShareRounding rounding) {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            int ranks = 1 + random.nextInt(20);
            int rounds = 1 + random.nextInt(50);
            List<Integer> most =
                    IntStream.range(0, ranks).mapToObj(_ -> 1 + random.nextInt(200)).toList();
            int capacity = rounds * most.stream().mapToInt(Integer::intValue).sum();
            var work = new EpochWork(1 + random.nextInt(capacity), rounds, most);
            List<SpeedFunction> speeds = constant(random.doubles(ranks, 0.01, 100).toArray());

            List<Integer> shares = Partitioner.functional(work, speeds, Solver.GEOMETRIC, rounding);

            assertThat(shares.stream().mapToInt(Integer::intValue).sum())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(work.samples());
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(shares.get(rank))
                        .as("seed %d, round %d", seed, round)
                        .isBetween(0, most.get(rank) * rounds);
            }
        }
    }

    @Test
    void eachShareOfZeroGetsAUnitOfTheLargest() {
        assertThat(Partitioner.withoutZeros(List.of(5, 0, 4, 0))).containsExactly(3, 1, 4, 1);
        assertThat(Partitioner.withoutZeros(List.of(1, 2))).containsExactly(1, 2);
    }
}
