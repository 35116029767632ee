package dev.equipoise.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Record of a completed run, from which {@code RecordedGenerationsTest} of the agent computes its
 * weights again.
 *
 * @param name method and fault
 * @param configuration as the service returns it
 * @param rounds rounds of an epoch
 * @param parameters weight checksums after the last epoch, by rank
 */
record GenerationRecord(
        String name,
        JsonNode configuration,
        int rounds,
        List<Generation> generations,
        List<String> parameters) {

    GenerationRecord {
        generations = List.copyOf(generations);
        parameters = List.copyOf(parameters);
    }

    /**
     * Generation of a run.
     *
     * @param from number of rounds that the run had completed when it began
     * @param workers names of the workers, by rank
     * @param shares samples of an epoch, by rank
     */
    record Generation(long from, List<String> workers, List<Integer> shares) {

        Generation {
            workers = List.copyOf(workers);
            shares = List.copyOf(shares);
        }

        private static Generation of(JsonNode placed, long from) {
            List<JsonNode> ranks = placed.path("ranks").valueStream().toList();
            return new Generation(
                    from,
                    ranks.stream().map(it -> it.path("workerName").asString()).toList(),
                    ranks.stream().map(it -> it.path("share").asInt()).toList());
        }
    }

    /**
     * Returns the generations whose work counts, by the events of a run. The first point of a
     * generation tells where it began; one whose points were all computed again has none.
     *
     * @return empty if the ranks began to report with a stride of several rounds, so that the
     *     beginning is unknown
     */
    static Optional<List<Generation>> generations(List<JsonNode> events) {
        List<Generation> generations = new ArrayList<>();
        JsonNode placed = null;
        for (JsonNode event : events) {
            switch (event.path("type").asString()) {
                case "placed" -> placed = event;
                case "metrics" -> {
                    if (placed != null && isFirst(event)) {
                        if (event.path("every").asLong() > 1) {
                            return Optional.empty();
                        }
                        long from = event.path("steps").path(0).asLong() - 1;
                        generations.add(Generation.of(placed, from));
                        placed = null;
                    }
                }
                default -> {}
            }
        }
        return Optional.of(List.copyOf(generations));
    }

    private static boolean isFirst(JsonNode metrics) {
        return metrics.path("name").asString().equals("train/loss")
                && !metrics.path("steps").isEmpty();
    }
}
