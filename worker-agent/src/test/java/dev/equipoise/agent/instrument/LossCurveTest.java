package dev.equipoise.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.Division;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LossCurveTest {

    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Observed> reported = new ArrayList<>();

    /** Adds rounds of equal length; the loss of a round is its number. */
    private void play(LossCurve curve, int rounds, long nanos) {
        for (int round = 1; round <= rounds; round++) {
            curve.round(1, round, round * nanos);
            curve.reportIfDue(event -> reported.add((Observed) event));
        }
    }

    private static TrainingPlan plan(int epochs, int rounds) {
        TrainingPlan tiny = TestingPlan.tiny(1);
        return TestingPlan.with(
                TestingPlan.of(
                        tiny.dataset(),
                        tiny.network(),
                        new OptimizerSpec.Sgd(0.1),
                        Division.of(List.of(1), rounds)),
                epochs);
    }

    private static TrainingPlan virtual(TrainingPlan plan) {
        return TestingPlan.with(
                plan,
                new Execution.Virtual(
                        List.of(Execution.Speed.of(1000)), 0, new Execution.Link(100, 100)));
    }

    private List<Long> steps() {
        return reported.stream().flatMap(part -> part.steps().stream()).toList();
    }

    @Test
    void reportsEveryRoundOncePerSecond() {
        play(new LossCurve(plan(1, 100), 3), 100, 40 * MILLISECOND);

        assertThat(reported).hasSize(4);
        assertThat(steps()).isEqualTo(LongStream.rangeClosed(1, 100).boxed().toList());
        Observed first = reported.getFirst();
        assertThat(first.rank()).isEqualTo(3);
        assertThat(first.metric()).isEqualTo("train/loss");
        assertThat(first.every()).isEqualTo(1);
        assertThat(first.seconds()).startsWith(0.04, 0.08).endsWith(1.0);
        assertThat(first.values()).startsWith(1.0, 2.0);
    }

    @Test
    void fastRoundsIncreaseTheSamplingStride() {
        play(new LossCurve(plan(10, 1000), 0), 10_000, MILLISECOND);

        assertThat(reported).hasSize(10);
        assertThat(reported)
                .allSatisfy(part -> {
                    assertThat(part.steps()).hasSizeLessThanOrEqualTo(LossCurve.MAX_AT_ONCE);
                    assertThat(part.every()).isEqualTo(32);
                    assertThat(part.steps()).allMatch(step -> step % 32 == 0);
                });
        assertThat(steps()).hasSizeBetween(300, 320);
    }

    @Test
    void longRunStartsWithALargerStride() {
        LossCurve curve = new LossCurve(plan(1_000, 10_000), 0);

        play(curve, 1_000, 10 * MILLISECOND);

        assertThat(steps())
                .isEqualTo(LongStream.rangeClosed(1, 100).mapToObj(i -> 10 * i).toList());
    }

    @Test
    void virtualClockReportsWhenTheBufferIsFull() {
        play(new LossCurve(virtual(plan(1, 100)), 0), 100, TimeUnit.HOURS.toNanos(1));

        assertThat(reported).hasSize(2);
        assertThat(steps()).hasSize(100);
    }

    @Test
    void roundsWithoutSamplesCountButHaveNoLoss() {
        LossCurve curve = new LossCurve(plan(1, 3), 0);
        curve.round(1, 5, 1);
        curve.round(0, 0, 2);
        curve.round(1, 4, 3);

        curve.report(event -> reported.add((Observed) event));
        curve.report(event -> reported.add((Observed) event));

        assertThat(reported).hasSize(1);
        assertThat(steps()).containsExactly(1L, 3L);
    }
}
