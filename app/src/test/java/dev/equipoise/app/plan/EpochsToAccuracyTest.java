package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.AccuracyHistory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EpochsToAccuracyTest {

    private static final RunConfiguration RING = with(4, "topology: all-reduce");

    private static RunConfiguration with(int replicas, String field) {
        return TestingPlans.configuration(
                TestingPlans.REAL, "workers: {replicas: %d}".formatted(replicas), field);
    }

    /** A run with these test accuracies after epochs 1, 2 and so on. */
    private static AccuracyHistory run(RunConfiguration configuration, double... accuracies) {
        return new AccuracyHistory(
                configuration,
                IntStream.range(0, accuracies.length)
                        .mapToObj(i -> new AccuracyHistory.AccuracyPoint(i + 1, accuracies[i]))
                        .toList());
    }

    @Test
    void medianOfRunsThatReachedTheTargetCounts() {
        assertThat(
                        EpochsToAccuracy.of(
                                RING,
                                List.of(
                                        run(RING, 0.9),
                                        run(RING, 0.1, 0.1, 0.9, 0.9, 0.9),
                                        run(RING, 0.5, 0.6)),
                                0.9))
                .contains(new EpochsToAccuracy(3, 1, 5, 2, 1, 4));
    }

    /** The order of additions does not change what a run learns. */
    @Test
    void allReduceAlgorithmDoesNotMatter() {
        assertThat(
                        EpochsToAccuracy.of(
                                RING,
                                List.of(
                                        run(
                                                with(
                                                        4,
                                                        "topology: {kind: all-reduce, algorithm: tree}"),
                                                0.9)),
                                0.9))
                .contains(new EpochsToAccuracy(1, 1, 1, 1, 0, 4));
    }

    @Test
    void bucketsDoNotMatter() {
        RunConfiguration overlapped = with(4, "synchronization: {kind: bsp, overlap: true}");

        assertThat(EpochsToAccuracy.of(overlapped, List.of(run(RING, 0.9)), 0.9))
                .contains(new EpochsToAccuracy(1, 1, 1, 1, 0, 4));
    }

    @Test
    void closestNumberOfReplicasIsUsed() {
        List<AccuracyHistory> runs =
                List.of(
                        run(with(1, "topology: all-reduce"), 0.9),
                        run(with(3, "topology: all-reduce"), 0.1, 0.1, 0.1, 0.9, 0.9, 0.9));

        assertThat(EpochsToAccuracy.of(RING, runs, 0.8))
                .contains(new EpochsToAccuracy(6, 6, 6, 1, 0, 3));
    }

    @Test
    void otherMethodsAndUnsuccessfulRunsGiveNoEstimate() {
        assertThat(
                        EpochsToAccuracy.of(
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
        assertThat(
                        EpochsToAccuracy.of(
                                RING, List.of(run(RING, 0.1), run(RING, 0.1), run(RING, 0.9)), 0.9))
                .isEmpty();
    }
}
