package dev.equipoise.launcher;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Measures published figures by runs that the lab has stored, and runs what is missing.
 *
 * @param reader of the same site
 */
record FigureMeasurement(Site site, RetryingReader reader, Progress progress) {

    private static final String NOT_RUN = "not run";
    private static final String NOT_COMPLETED = "a run did not complete";

    /** Returns a line for each published figure, from stored runs alone. */
    List<FigureTable.Line> stored(List<PublishedPreset> presets) {
        return lines(presets, storedRuns(presets), NOT_RUN);
    }

    /**
     * Lines of all presets.
     *
     * @param failed number of runs that were submitted and did not complete
     */
    record Report(List<FigureTable.Line> lines, long failed) {}

    /** Returns a line for each published figure, after runs that the lab does not have. */
    Report complete(List<PublishedPreset> presets) {
        StoredRuns before = storedRuns(presets);
        List<ScaledPreset> missing =
                presets.stream().flatMap(it -> it.missing(before).stream()).toList();
        if (missing.isEmpty()) {
            return new Report(lines(presets, before, NOT_RUN), 0);
        }
        site.prepare(missing.stream().flatMap(it -> it.configurations().stream()).toList());
        long failed = missing.stream().mapToLong(this::run).sum();
        return new Report(lines(presets, storedRuns(presets), NOT_COMPLETED), failed);
    }

    private StoredRuns storedRuns(List<PublishedPreset> presets) {
        Set<String> experiments =
                presets.stream().flatMap(it -> it.experiments().stream()).collect(toSet());
        return StoredRuns.read(reader, experiments);
    }

    /** Runs definitions of one preset at one scale and returns how many did not complete. */
    private long run(ScaledPreset preset) {
        var submission = new Submission(site, reader);
        try {
            List<String> runs =
                    submission.submit(
                            preset.definitions().stream()
                                    .map(ScaledPreset.Definition::document)
                                    .toList());
            List<String> labels = Run.labels(comparison(runs));
            return runs.size() - submission.follow(labels, progress);
        } catch (ServiceUnreachable unreachable) {
            submission.leaveOpen();
            throw unreachable;
        }
    }

    private JsonNode comparison(List<String> runs) {
        return reader.read(api -> api.get("comparisons?runs=" + String.join(",", runs)));
    }

    private List<FigureTable.Line> lines(
            List<PublishedPreset> presets, StoredRuns stored, String withoutRun) {
        return presets.stream()
                .flatMap(it -> it.lines(runs(it, stored), withoutRun).stream())
                .toList();
    }

    /** Returns the runs by scale; a comparison takes no more runs than those of one scale. */
    private Map<String, List<PresetRun>> runs(PublishedPreset preset, StoredRuns stored) {
        return preset.scales().stream().collect(toMap(ScaledPreset::scale, it -> runs(it, stored)));
    }

    private List<PresetRun> runs(ScaledPreset preset, StoredRuns stored) {
        List<JsonNode> configurations = preset.configurations();
        List<String> ids =
                configurations.stream()
                        .flatMap(it -> stored.of(it).stream())
                        .map(run -> run.path("id").asString())
                        .distinct()
                        .toList();
        Map<String, JsonNode> figures = ids.isEmpty() ? Map.of() : figures(ids);
        return configurations.stream().map(it -> run(it, stored.of(it), figures)).toList();
    }

    /** Returns the figures of runs by their ids. */
    private Map<String, JsonNode> figures(List<String> runs) {
        return comparison(runs)
                .path("runs")
                .valueStream()
                .collect(toMap(it -> it.path("run").asString(), it -> it.path("figures")));
    }

    private static PresetRun run(
            JsonNode configuration, Optional<JsonNode> stored, Map<String, JsonNode> figures) {
        return stored.map(run ->
                        new PresetRun(
                                configuration,
                                figures.getOrDefault(
                                        run.path("id").asString(), MissingNode.getInstance()),
                                run.at("/progress/epochs").asInt(),
                                run.at("/progress/rounds").asInt()))
                .orElseGet(() -> new PresetRun(configuration, MissingNode.getInstance(), 0, 0));
    }
}
