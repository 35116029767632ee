package dev.equipoise.launcher;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The completed runs of a lab by their configuration, the newest of each.
 *
 * @param runs as lists describe them
 */
record StoredRuns(Map<JsonNode, JsonNode> runs) {

    private static final String PAGE = "runs?state=COMPLETED&limit=500";

    /**
     * Reads the runs that the caller may see.
     *
     * @param experiments names of the experiments to which the runs belong
     */
    static StoredRuns read(RetryingReader reader, Set<String> experiments) {
        Map<JsonNode, JsonNode> runs = new HashMap<>();
        Map<String, JsonNode> versions = new HashMap<>();
        for (JsonNode run : completed(reader)) {
            if (experiments.contains(run.path("experimentName").asString())) {
                JsonNode version =
                        versions.computeIfAbsent(
                                version(run), path -> reader.read(api -> api.get(path)));
                runs.putIfAbsent(
                        version.path("configurations").path(run.path("position").asInt()), run);
            }
        }
        return new StoredRuns(runs);
    }

    private static String version(JsonNode run) {
        return "experiments/%s?version=%d"
                .formatted(
                        run.path("experiment").asString(), run.path("experimentVersion").asInt());
    }

    /** Returns all completed runs, the newest first. */
    private static List<JsonNode> completed(RetryingReader reader) {
        List<JsonNode> runs = new ArrayList<>();
        String cursor = "";
        do {
            String path = PAGE + cursor;
            JsonNode page = reader.read(api -> api.get(path));
            page.path("items").valueStream().filter(RunProgress::isCompleted).forEach(runs::add);
            JsonNode next = page.path("next");
            cursor = next.isString() ? "&cursor=" + ServiceApi.encoded(next.asString()) : "";
        } while (!cursor.isEmpty());
        return runs;
    }

    Optional<JsonNode> of(JsonNode configuration) {
        return Optional.ofNullable(runs.get(configuration));
    }
}
