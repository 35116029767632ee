package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final int STEPS_PER_EPOCH = 4;
    private static final int EPOCHS = 5;
    private static final int STEPS = STEPS_PER_EPOCH * EPOCHS;

    static Stream<Schedule> schedules() {
        return Stream.of(0.0, 0.1, 0.5, 1.3, 5.0, 99.0)
                .flatMap(warmUp ->
                        Stream.of(
                                new Schedule.Constant(warmUp),
                                new Schedule.Step(2, 0.1, warmUp),
                                new Schedule.Cosine(0, warmUp),
                                new Schedule.Cosine(0.2, warmUp)));
    }

    private static List<Double> factors(Schedule schedule) {
        return IntStream.range(0, STEPS)
                .mapToObj(step -> schedule.factor(step, STEPS_PER_EPOCH, EPOCHS))
                .toList();
    }

    @Test
    void constantScheduleIsOne() {
        assertThat(factors(new Schedule.Constant(0))).containsOnly(1.0);
    }

    @Test
    void stepScheduleDropsAfterEachInterval() {
        List<Double> factors = factors(new Schedule.Step(2, 0.5, 0));

        assertThat(factors.subList(0, 8)).containsOnly(1.0);
        assertThat(factors.subList(8, 16)).containsOnly(0.5);
        assertThat(factors.subList(16, 20)).containsOnly(0.25);
    }

    @Test
    void cosineScheduleReachesItsFloorAtTheEndOfTheRun() {
        var cosine = new Schedule.Cosine(0.2, 0);

        assertThat(cosine.factor(0, STEPS_PER_EPOCH, EPOCHS)).isEqualTo(1);
        assertThat(cosine.factor(STEPS / 2, STEPS_PER_EPOCH, EPOCHS)).isCloseTo(0.6, within(1e-15));
        assertThat(cosine.factor(STEPS, STEPS_PER_EPOCH, EPOCHS)).isEqualTo(0.2);
        assertThat(cosine.factor(STEPS + 3, STEPS_PER_EPOCH, EPOCHS)).isEqualTo(0.2);
        assertThat(factors(cosine))
                .isSortedAccordingTo((one, next) -> Double.compare(next, one))
                .doesNotHaveDuplicates();
    }

    @Test
    void warmUpGrowsLinearlyToOne() {
        assertThat(factors(new Schedule.Constant(1)).subList(0, 5))
                .containsExactly(0.25, 0.5, 0.75, 1.0, 1.0);
        assertThat(factors(new Schedule.Constant(0.5)).subList(0, 3))
                .containsExactly(0.5, 1.0, 1.0);
    }

    @Test
    void warmUpMayEndWithinAnEpoch() {
        assertThat(factors(new Schedule.Constant(0.625)).subList(0, 4))
                .containsExactly(0.4, 0.8, 1.0, 1.0);
    }

    @Test
    void cosineScheduleStartsAfterTheWarmUp() {
        List<Double> factors = factors(new Schedule.Cosine(0, 1));

        assertThat(factors.subList(0, 5)).containsExactly(0.25, 0.5, 0.75, 1.0, 1.0);
        assertThat(factors.get(12)).isCloseTo(0.5, within(1e-15));
    }

    @Test
    void stepScheduleCountsFromTheStartOfTheRun() {
        assertThat(factors(new Schedule.Step(2, 0.5, 1)).subList(6, 10))
                .containsExactly(1.0, 1.0, 0.5, 0.5);
    }

    @ParameterizedTest
    @MethodSource("schedules")
    void factorsArePositiveAndAtMostOne(Schedule schedule) {
        assertThat(factors(schedule)).allMatch(factor -> factor > 0 && factor <= 1);
    }

    @Test
    void cosineScheduleWithoutAFloorStaysPositive() {
        assertThat(new Schedule.Cosine(0, 0).factor(STEPS - 1, STEPS_PER_EPOCH, EPOCHS))
                .isPositive();
    }

    @Test
    void longRunDoesNotOverflow() {
        long last = (long) Integer.MAX_VALUE * Integer.MAX_VALUE - 1;

        assertThat(schedules().map(it -> it.factor(last, Integer.MAX_VALUE, Integer.MAX_VALUE)))
                .allMatch(factor -> factor >= 0 && factor <= 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsANegativeOrInfiniteWarmUp(double warmUp) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Constant(warmUp))
                .withMessage("warmUp must be at least 0.0, but was " + warmUp);
        assertThatIllegalArgumentException().isThrownBy(() -> new Schedule.Step(1, 1, warmUp));
        assertThatIllegalArgumentException().isThrownBy(() -> new Schedule.Cosine(0, warmUp));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsFactorsOutsideZeroToOne(double factor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Step(1, factor, 0))
                .withMessageEndingWith("but was " + factor);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Cosine(factor, 0))
                .withMessage("floor must be from 0.0 to 1.0, but was " + factor);
    }

    @Test
    void rejectsAStepOfZeroEpochsOrToZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Step(0, 0.1, 0))
                .withMessage("every must be at least 1, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Schedule.Step(1, 0, 0))
                .withMessageStartingWith("factor must be from ");
    }
}
