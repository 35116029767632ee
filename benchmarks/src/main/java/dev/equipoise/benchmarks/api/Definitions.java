package dev.equipoise.benchmarks.api;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Definitions of experiments, as JSON has them. */
final class Definitions {

    /** Of the whole training set; an epoch has as many rounds of one sample each. */
    static final int SAMPLES = 60_000;

    private Definitions() {}

    /**
     * Of runs that one simulated agent each makes up.
     *
     * @param label of the agents
     */
    static Map<String, Object> madeUp(String label, int epochs, int runs) {
        return Map.of(
                "apiVersion",
                "equipoise/v1",
                "name",
                label,
                "dataset",
                Map.of("name", "mnist", "limit", SAMPLES),
                "network",
                Map.of("preset", "mlp-784-512-10"),
                "training",
                training(epochs, 1),
                "workers",
                Map.of("replicas", 1, "selector", Map.of("bench", label)),
                "execution",
                Map.of("kind", "virtual", "samplesPerSecond", 500),
                "seeds",
                LongStream.rangeClosed(1, runs).boxed().toList());
    }

    /** Of a run of a second or two on two real agents, whose data are computed. */
    static Map<String, Object> small(String label) {
        return Map.of(
                "apiVersion",
                "equipoise/v1",
                "name",
                label,
                "dataset",
                Map.of("name", "synthetic", "shape", List.of(28, 28, 1), "classes", 10),
                "network",
                Map.of("preset", "mlp-784-512-10"),
                "training",
                training(2, 50),
                "workers",
                Map.of("replicas", 2, "selector", Map.of("bench", label)));
    }

    private static Map<String, Object> training(int epochs, int batchSize) {
        return Map.of(
                "epochs",
                epochs,
                "batchSize",
                batchSize,
                "optimizer",
                Map.of("kind", "sgd", "learningRate", 0.1));
    }
}
