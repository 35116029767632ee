package dev.equipoise.app.compare;

import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
import java.util.List;
import java.util.UUID;

/** Compared runs whose figures follow from accuracy and time. */
final class TestingComparison {

    private TestingComparison() {}

    static ComparedRun run(long seed, double accuracy, double seconds) {
        return run(seed, accuracy, seconds, RunState.COMPLETED);
    }

    /** Creates a run with a target accuracy of 0.5 and traffic of 100 bytes/s. */
    static ComparedRun run(long seed, double accuracy, double seconds, RunState state) {
        return run("a, \"b\" | c", seed, accuracy, seconds, state);
    }

    static ComparedRun run(
            String label, long seed, double accuracy, double seconds, RunState state) {
        return run(label, seed, accuracy, accuracy / 2, seconds, state);
    }

    /** Creates a run whose replicas have another accuracy than their mean. */
    static ComparedRun replicas(long seed, double accuracy, double replicaAccuracy) {
        return run("replicas", seed, accuracy, replicaAccuracy, 1, RunState.COMPLETED);
    }

    private static ComparedRun run(
            String label,
            long seed,
            double accuracy,
            double replicaAccuracy,
            double seconds,
            RunState state) {
        return new ComparedRun(
                RunId.of(new UUID(0, seed)),
                label + ", seed " + seed,
                label,
                0,
                state,
                new Partitioning.Equal(),
                seed,
                List.of(),
                null,
                null,
                null,
                accuracy,
                null,
                null,
                null,
                new Figures(
                        accuracy,
                        accuracy,
                        replicaAccuracy,
                        null,
                        null,
                        null,
                        0.25,
                        accuracy >= 0.5 ? seconds / 2 : null,
                        accuracy >= 0.5 ? (long) (50 * seconds) : null,
                        seconds,
                        seconds / 4,
                        seconds / 2,
                        0.0,
                        seconds / 16,
                        (long) (100 * seconds),
                        600L),
                2 * seconds,
                new RunPhases(0, 0, 0, 0, 0, seconds, seconds, 0, 0),
                null,
                List.of(),
                List.of());
    }
}
