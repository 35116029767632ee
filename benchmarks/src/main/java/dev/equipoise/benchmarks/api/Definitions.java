package dev.equipoise.benchmarks.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Definitions of experiments as JSON maps. */
final class Definitions {

    /** Samples of the whole training set; an epoch has that many rounds of one sample. */
    static final int SAMPLES = 60_000;

    private Definitions() {}

    /**
     * Defines runs, each for one simulated agent.
     *
     * @param label of the agents
     */
    static Map<String, Object> simulated(String label, int epochs, int runs) {
        Map<String, Object> definition =
                definition(
                        label, Map.of("name", "mnist", "limit", SAMPLES), training(epochs, 1), 1);
        definition.put("execution", Map.of("kind", "virtual", "samplesPerSecond", 500));
        definition.put("seeds", LongStream.rangeClosed(1, runs).boxed().toList());
        return definition;
    }

    /** Defines a run of one or two seconds on two real agents with synthetic data. */
    static Map<String, Object> small(String label) {
        return definition(
                label,
                Map.of("name", "synthetic", "shape", List.of(28, 28, 1), "classes", 10),
                training(2, 50),
                2);
    }

    private static Map<String, Object> definition(
            String label, Map<String, Object> dataset, Map<String, Object> training, int replicas) {
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("apiVersion", "equipoise/v1");
        definition.put("name", label);
        definition.put("dataset", dataset);
        definition.put("network", Map.of("preset", "mlp-784-512-10"));
        definition.put("training", training);
        definition.put("workers", Map.of("replicas", replicas, "selector", Map.of("bench", label)));
        return definition;
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
