package dev.equipoise.performance.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.protocol.Topology.Algorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CostModelTest {

    private static final double TOLERANCE = 1e-12;

    /** One second per message, 0.1 s per byte, 0.01 s to add a byte. */
    private final CostModel costs = new CostModel(1, 0.1, 0.01);

    /** Computed by hand for 120 bytes from docs/algorithms.md, section 3. */
    @ParameterizedTest
    @CsvSource({
        "RING, 2, 14.6",
        "RING, 4, 24.9",
        "RING, 3, 20.8",
        "FLAT, 4, 81.6",
        "TREE, 4, 54.4",
        "TREE, 3, 54.4",
        "RECURSIVE_DOUBLING, 4, 28.4",
        "RECURSIVE_DOUBLING, 3, 41.4",
        "HALVING_DOUBLING, 4, 22.9",
        "HALVING_DOUBLING, 3, 41.8",
    })
    void secondsFollowTheFormulas(Algorithm algorithm, int ranks, double seconds) {
        assertThat(costs.seconds(algorithm, ranks, 120)).isCloseTo(seconds, within(TOLERANCE));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 64})
    void bestMinimizesStepsForSmallVectorsAndBytesForLargeOnes(int ranks) {
        var lan = new CostModel(50e-6, 1e-9, 0.1e-9);

        assertThat(lan.best(ranks, 4)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(lan.best(ranks, 64 << 20)).isIn(Algorithm.HALVING_DOUBLING, Algorithm.RING);
        assertThat(lan.seconds(Algorithm.AUTO, ranks, 4))
                .isEqualTo(lan.seconds(Algorithm.RECURSIVE_DOUBLING, ranks, 4));
    }

    /** Halving-doubling would first fold the vector of the odd rank into another one. */
    @Test
    void bestIsTheRingForLargeVectorsOverAnOddNumberOfRanks() {
        assertThat(new CostModel(50e-6, 1e-9, 0.1e-9).best(5, 64 << 20)).isEqualTo(Algorithm.RING);
    }

    @Test
    void singleRankCostsNothing() {
        assertThat(costs.seconds(Algorithm.RING, 1, 1 << 20)).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsCostsThatAreNegativeOrNotFinite(double cost) {
        assertThatIllegalArgumentException().isThrownBy(() -> new CostModel(cost, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new CostModel(0, cost, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new CostModel(0, 0, cost));
    }
}
