package dev.equipoise.performance.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compares intervals with those of SciPy 1.17.1, to 1e-9. */
class SeedComparisonTest {

    private static final double EXACT = 1e-9;

    private static final SortedMap<Long, Double> SLOW = seeds(1, 10.0, 12.0, 11.0, 14.0, 9.0);
    private static final SortedMap<Long, Double> FAST = seeds(1, 5.2, 5.9, 5.6, 6.8, 4.6);

    /** Returns values of consecutive seeds. */
    private static SortedMap<Long, Double> seeds(long first, double... values) {
        SortedMap<Long, Double> seeds = new TreeMap<>();
        for (double value : values) {
            seeds.put(first + seeds.size(), value);
        }
        return seeds;
    }

    private static void assertInterval(
            MeanEstimate estimate, double mean, double low, double high) {
        assertThat(estimate.interval()).isEqualTo(IntervalKind.CONFIDENCE);
        assertThat(estimate.mean()).isCloseTo(mean, within(EXACT));
        assertThat(estimate.low()).isCloseTo(low, within(EXACT));
        assertThat(estimate.high()).isCloseTo(high, within(EXACT));
    }

    /** The exponential of scipy.stats.t.interval of the logarithms of the five ratios. */
    @Test
    void ratioOfCommonSeedsIsPairedOnALogScale() {
        MeanEstimate ratio = Objects.requireNonNull(SeedComparison.ratio(SLOW, FAST));

        assertThat(ratio.count()).isEqualTo(5);
        assertInterval(ratio, 1.9866751976576855, 1.9176395573164313, 2.058196143237426);
    }

    @Test
    void inverseRatioHasTheInverseInterval() {
        MeanEstimate ratio = Objects.requireNonNull(SeedComparison.ratio(FAST, SLOW));

        assertInterval(
                ratio, 1 / 1.9866751976576855, 1 / 2.058196143237426, 1 / 1.9176395573164313);
    }

    /** The exponential of the interval of scipy.stats.ttest_ind of the logarithms, by Welch. */
    @Test
    void ratioWithoutCommonSeedsIsWelchsOnALogScale() {
        MeanEstimate ratio =
                Objects.requireNonNull(SeedComparison.ratio(SLOW, seeds(11, 5.2, 5.9, 5.6, 6.8)));

        assertThat(ratio.count()).isEqualTo(4);
        assertInterval(ratio, 1.8936548369564825, 1.5126554310270723, 2.3706182967881095);
    }

    @Test
    void differenceWithoutCommonSeedsIsWelchs() {
        MeanEstimate difference =
                Objects.requireNonNull(
                        SeedComparison.difference(
                                SLOW, seeds(11, 5.2, 5.9, 5.6, 6.8), ValueRange.UNLIMITED));

        assertInterval(difference, 5.325, 2.9717279028059957, 7.678272097194001);
    }

    /** Only seeds 2 to 5 are common. */
    @Test
    void seedsOfOneGroupAloneDoNotCount() {
        MeanEstimate difference =
                Objects.requireNonNull(
                        SeedComparison.difference(
                                seeds(1, 0.10, 0.89, 0.88, 0.87, 0.86),
                                seeds(2, 0.90, 0.90, 0.90, 0.90, 0.10),
                                ValueRange.FRACTION_DIFFERENCE));

        assertThat(difference.count()).isEqualTo(4);
        assertInterval(difference, -0.025, -0.045542602567605214, -0.004457397432394792);
    }

    @Test
    void fewCommonSeedsPairOnlyAGroupThatHasNoOthers() {
        assertThat(SeedComparison.paired(SLOW, seeds(4, 1, 1))).containsExactly(4L, 5L);
        assertThat(SeedComparison.paired(SLOW, seeds(4, 1, 1, 1))).isEmpty();
        assertThat(SeedComparison.paired(seeds(1, 1, 1, 1, 1, 1), seeds(2, 1, 1, 1, 1, 1)))
                .containsExactly(2L, 3L, 4L, 5L);
    }

    @Test
    void threePairsShowTheRangeOfTheirRatios() {
        MeanEstimate ratio =
                Objects.requireNonNull(SeedComparison.ratio(seeds(1, 2, 4, 16), seeds(1, 2, 2, 2)));

        assertThat(ratio.interval()).isEqualTo(IntervalKind.RANGE);
        assertThat(ratio.mean()).isCloseTo(Math.cbrt(16), within(EXACT));
        assertThat(ratio.points()).hasSize(3);
        assertThat(ratio.low()).isCloseTo(1, within(EXACT));
        assertThat(ratio.high()).isCloseTo(8, within(EXACT));
    }

    @Test
    void fewUnpairedSeedsShowTheRangeOfAllDifferences() {
        assertThat(
                        SeedComparison.difference(
                                seeds(1, 0.5, 0.75),
                                seeds(11, 0.25, 0.5),
                                ValueRange.FRACTION_DIFFERENCE))
                .isEqualTo(new MeanEstimate(2, 0.25, 0.0, 0.5, IntervalKind.RANGE, List.of()));
    }

    @Test
    void differenceOfAccuraciesIsAtMostOne() {
        MeanEstimate difference =
                Objects.requireNonNull(
                        SeedComparison.difference(
                                seeds(1, 1, 1, 1, 0.6),
                                seeds(1, 0, 0, 0, 0),
                                ValueRange.FRACTION_DIFFERENCE));

        assertThat(difference.high()).isEqualTo(1);
    }

    @Test
    void emptyGroupsAndZerosHaveNoRatio() {
        assertThat(SeedComparison.ratio(SLOW, seeds(1))).isNull();
        assertThat(SeedComparison.ratio(SLOW, seeds(1, 1, 0, 1))).isNull();
        assertThat(SeedComparison.difference(seeds(1), SLOW, ValueRange.UNLIMITED)).isNull();
    }
}
