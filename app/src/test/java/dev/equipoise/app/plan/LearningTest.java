package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Learned;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LearningTest {

    private static final RunConfiguration RING = with(4, "topology: all-reduce");

    private static RunConfiguration with(int replicas, String field) {
        return TestingPlans.configuration(
                TestingPlans.REAL, "workers: {replicas: %d}".formatted(replicas), field);
    }

    /** Test accuracies after the first epoch, the second, ... */
    private static Learned run(RunConfiguration configuration, double... accuracies) {
        return new Learned(
                configuration,
                IntStream.range(0, accuracies.length)
                        .mapToObj(i -> new Learned.Look(i + 1, accuracies[i]))
                        .toList());
    }

    @Test
    void theMedianOfRunsThatReachedTheTargetCounts() {
        assertThat(
                        Learning.of(
                                RING,
                                List.of(
                                        run(RING, 0.9),
                                        run(RING, 0.1, 0.1, 0.9, 0.9, 0.9),
                                        run(RING, 0.5, 0.6)),
                                0.9))
                .contains(new Learning(3, 2, 1, 4));
    }

    /** The order in which numbers are added teaches nothing. */
    @Test
    void theAlgorithmOfAnAllReduceChangesNothing() {
        assertThat(
                        Learning.of(
                                RING,
                                List.of(
                                        run(
                                                with(
                                                        4,
                                                        "topology: {kind: all-reduce, algorithm: tree}"),
                                                0.9)),
                                0.9))
                .contains(new Learning(1, 1, 0, 4));
    }

    @Test
    void theNearestNumberOfReplicasIsTakenWhereThereAreNoneOfTheSame() {
        List<Learned> runs =
                List.of(
                        run(with(1, "topology: all-reduce"), 0.9),
                        run(with(3, "topology: all-reduce"), 0.1, 0.1, 0.1, 0.9, 0.9, 0.9));

        assertThat(Learning.of(RING, runs, 0.8)).contains(new Learning(6, 1, 0, 3));
    }

    @Test
    void otherMethodsAndRunsThatNeverReachItTellNothing() {
        assertThat(
                        Learning.of(
                                RING,
                                List.of(
                                        run(
                                                with(
                                                        4,
                                                        "synchronization: {kind: local-sgd, period: 4}"),
                                                0.9),
                                        run(with(4, "training: {epochs: 2, batchSize: 5}"), 0.9)),
                                0.9))
                .isEmpty();
        assertThat(Learning.of(RING, List.of(run(RING, 0.1), run(RING, 0.1), run(RING, 0.9)), 0.9))
                .isEmpty();
    }
}
