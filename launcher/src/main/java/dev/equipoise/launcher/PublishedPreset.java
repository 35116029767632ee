package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A preset with published figures, at a scale.
 *
 * @param description fields name, paper, scales and published
 * @param definitions none if the preset does not have the scale
 */
record PublishedPreset(JsonNode description, String scale, List<ScaledDefinition> definitions) {

    /** A definition of the preset, and the run configurations to which it expands. */
    record ScaledDefinition(ServiceApi.Document document, List<JsonNode> configurations) {

        private static ScaledDefinition of(ServiceApi.Document document, ServiceApi api) {
            return new ScaledDefinition(document, Submission.check(api, List.of(document)));
        }
    }

    /**
     * Reads the presets of a service.
     *
     * @param names none for all presets with published figures
     * @throws UsageError if there is no such preset, or it has no published figures or not the
     *     scale, with all such errors
     */
    static List<PublishedPreset> read(ServiceApi api, List<String> names, String scale) {
        List<JsonNode> published =
                api.get("presets")
                        .path("items")
                        .valueStream()
                        .filter(it -> !it.path("published").isEmpty())
                        .toList();
        check(published, names, scale);
        return published.stream()
                .filter(it -> names.isEmpty() || names.contains(it.path("name").asString()))
                .map(it -> of(it, scale, api))
                .toList();
    }

    private static void check(List<JsonNode> published, List<String> names, String scale) {
        List<String> errors = new ArrayList<>();
        for (String name : names) {
            published.stream()
                    .filter(it -> it.path("name").asString().equals(name))
                    .findFirst()
                    .ifPresentOrElse(
                            it -> {
                                if (!it.path("scales").has(scale)) {
                                    errors.add(noScale(it, scale));
                                }
                            },
                            () -> errors.add(noPreset(name, published)));
        }
        if (names.isEmpty() && published.stream().noneMatch(it -> it.path("scales").has(scale))) {
            errors.add("--scale %s is the scale of no preset".formatted(scale));
        }
        if (!errors.isEmpty()) {
            throw new UsageError(errors);
        }
    }

    private static String noScale(JsonNode preset, String scale) {
        return "--scale must be one of %s for %s, but was %s"
                .formatted(
                        preset.path("scales").propertyNames(),
                        preset.path("name").asString(),
                        scale);
    }

    private static String noPreset(String name, List<JsonNode> published) {
        return "%s is no preset with published figures; these presets are %s"
                .formatted(
                        name,
                        published.stream()
                                .map(it -> it.path("name").asString())
                                .collect(joining(", ")));
    }

    private static PublishedPreset of(JsonNode description, String scale, ServiceApi api) {
        if (!description.path("scales").has(scale)) {
            return new PublishedPreset(description, scale, List.of());
        }
        var source =
                new Source(
                        description.path("name").asString(),
                        scale,
                        Overrides.of(List.of(), JsonMapper.shared()));
        return new PublishedPreset(
                description,
                scale,
                source.fromPreset(api).stream().map(it -> ScaledDefinition.of(it, api)).toList());
    }

    /** Returns the configurations of all definitions, in order. */
    List<JsonNode> configurations() {
        return definitions.stream().flatMap(it -> it.configurations().stream()).toList();
    }

    /** Returns the names of the experiments that the definitions become. */
    Set<String> experiments() {
        Set<String> names = new TreeSet<>();
        configurations().forEach(it -> names.add(it.path("name").asString()));
        return names;
    }

    /** Returns the definitions with a run that a figure needs and the lab does not have. */
    List<ScaledDefinition> missing(StoredRuns stored) {
        List<FigureForm> forms = forms().toList();
        return definitions.stream()
                .filter(definition ->
                        definition.configurations().stream()
                                .filter(it -> stored.of(it).isEmpty())
                                .anyMatch(it -> forms.stream().anyMatch(form -> form.isOver(it))))
                .toList();
    }

    private Stream<FigureForm> forms() {
        return description
                .path("published")
                .valueStream()
                .filter(it -> it.path("ours").isObject())
                .map(it -> new FigureForm(it.path("ours")))
                .filter(it -> it.isAt(scale));
    }

    /**
     * Returns a line for each published figure.
     *
     * @param runs of all configurations, in their order
     * @param withoutRun reason for no figure if a run is not completed
     */
    List<FigureTable.Line> lines(List<PresetRun> runs, String withoutRun) {
        return description
                .path("published")
                .valueStream()
                .map(figure ->
                        new FigureTable.Line(
                                description.path("paper").asString(),
                                description.path("name").asString(),
                                figure,
                                outcome(figure, runs, withoutRun)))
                .toList();
    }

    private Outcome outcome(JsonNode figure, List<PresetRun> runs, String withoutRun) {
        if (definitions.isEmpty()) {
            return new Outcome.Absent("the preset has no scale " + scale);
        }
        var form = new FigureForm(figure.path("ours"));
        return figure.path("ours").isObject() && form.isAt(scale)
                ? form.evaluate(runs, withoutRun)
                : new Outcome.Absent(figure.path("because").asString());
    }
}
