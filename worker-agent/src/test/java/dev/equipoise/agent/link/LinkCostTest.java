package dev.equipoise.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LinkCostTest {

    private static final List<Long> SIZES = LinkPlan.DEFAULT.sizes();

    @ParameterizedTest
    @CsvSource({"1e-5, 1e-9", "5e-3, 5e-8", "1e-7, 1e-10", "0, 2e-9", "3e-4, 0"})
    void findsTheLineThroughAllSamples(double alpha, double beta) {
        LinkCost cost = LinkCost.fit(samples(bytes -> alpha + beta * bytes));

        assertThat(cost.alpha()).isCloseTo(alpha, within(1e-9 * alpha + 1e-15));
        assertThat(cost.beta()).isCloseTo(beta, within(1e-9 * beta + 1e-18));
        assertThat(cost.relativeError()).isLessThan(1e-9);
    }

    /**
     * Alpha rests on the three or four sizes below alpha / beta = 50 kB, beta on the others, each
     * off by at most 5 percent; shared errors add a little, so that 7 percent hold.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void isNearTheLineAroundScatteredSamples(long seed) {
        var random = new SplittableRandom(seed);

        LinkCost cost =
                LinkCost.fit(
                        samples(bytes ->
                                (50e-6 + 1e-9 * bytes) * (1 + random.nextDouble(-0.05, 0.05))));

        assertThat(cost.alpha()).as("seed %d", seed).isCloseTo(50e-6, withinPercentage(7));
        assertThat(cost.beta()).as("seed %d", seed).isCloseTo(1e-9, withinPercentage(7));
        assertThat(cost.relativeError()).as("seed %d", seed).isBetween(0.001, 0.06);
    }

    private static IntStream seeds() {
        return IntStream.rangeClosed(1, 200);
    }

    @Test
    void alphaIgnoresErrorsOfTheLargestSizes() {
        long largest = SIZES.getLast();

        LinkCost cost =
                LinkCost.fit(
                        samples(bytes -> (10e-6 + 1e-9 * bytes) * (bytes == largest ? 1.2 : 1)));

        // Plain least squares gives alpha = -1.3 ms.
        assertThat(cost.alpha()).isCloseTo(10e-6, withinPercentage(10));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void errorsInBothDirectionsCancel(long seed) {
        var random = new SplittableRandom(seed);
        List<LinkSample> samples =
                samples(bytes -> (50e-6 + 1e-9 * bytes) * Math.exp(random.nextDouble(-1, 1)));

        LinkCost cost = LinkCost.fit(samples);

        double meanError =
                samples.stream()
                        .mapToDouble(sample -> sample.seconds() / cost.seconds(sample.bytes()) - 1)
                        .average()
                        .orElseThrow();
        assertThat(meanError).as("seed %d", seed).isCloseTo(0, within(1e-6));
    }

    @Test
    void scatteredSizesCountLess() {
        var samples =
                List.of(
                        new LinkSample(1_000, 1e-3, 0),
                        new LinkSample(2_000, 1e-3, 0),
                        new LinkSample(3_000, 5e-3, 50e-3));

        assertThat(LinkCost.fit(samples).seconds(2_000)).isCloseTo(1e-3, withinPercentage(2));
    }

    @Test
    void negativeAlphaIsZeroAndBetaIsFittedAlone() {
        LinkCost cost =
                LinkCost.fit(
                        List.of(new LinkSample(1_000, 1e-6, 0), new LinkSample(2_000, 3e-6, 0)));

        assertThat(cost.alpha()).isZero();
        // The mean of 1 and 1.5 ns per byte.
        assertThat(cost.beta()).isCloseTo(1.25e-9, withinPercentage(1e-6));
        assertThat(cost.relativeError()).isPositive();
    }

    @Test
    void negativeBetaIsZeroAndAlphaIsFittedAlone() {
        LinkCost cost =
                LinkCost.fit(
                        List.of(new LinkSample(1_000, 2e-6, 0), new LinkSample(2_000, 1e-6, 0)));

        assertThat(cost.beta()).isZero();
        assertThat(cost.alpha()).isCloseTo(1.5e-6, withinPercentage(1e-6));
        assertThat(cost.bytesPerSecond()).isInfinite();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void isNeverNegative(long seed) {
        var random = new SplittableRandom(seed);

        LinkCost cost = LinkCost.fit(samples(_ -> Math.pow(10, random.nextDouble(-7, 1))));

        assertThat(cost.alpha()).as("seed %d", seed).isNotNegative();
        assertThat(cost.beta()).as("seed %d", seed).isNotNegative();
        assertThat(cost.alpha() + cost.beta()).as("seed %d", seed).isPositive();
    }

    @Test
    void rejectsSamplesOfASingleSize() {
        var sample = new LinkSample(1_024, 1e-6, 0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkCost.fit(List.of(sample, sample)))
                .withMessage("a line needs samples of at least two sizes, but they have 1");
        assertThatIllegalArgumentException().isThrownBy(() -> LinkCost.fit(List.of()));
    }

    @Test
    void rejectsANegativeOrNonFiniteCost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LinkCost(-1, 0, 0))
                .withMessage("alpha must be finite and not negative, but was -1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new LinkCost(0, Double.NaN, 0));
    }

    @Test
    void messageTimeIsHalfOfTheMedianRoundTrip() {
        LinkSample sample =
                LinkSample.ofRoundTrips(64, new long[] {9_000, 2_000, 3_000, 4_000, 6_000});

        assertThat(sample).isEqualTo(new LinkSample(64, 2e-6, 0.75e-6));
    }

    @Test
    void rejectsAClockThatHasNotAdvanced() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkSample.ofRoundTrips(64, new long[] {0, 0, 0}))
                .withMessage("the time must be positive and finite, but was 0.0 seconds");
    }

    private static List<LinkSample> samples(LongToDoubleFunction seconds) {
        return SIZES.stream()
                .map(bytes -> new LinkSample(bytes, seconds.applyAsDouble(bytes), 0))
                .toList();
    }
}
