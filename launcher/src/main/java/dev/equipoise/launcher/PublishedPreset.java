package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * A preset with published figures, at some of its scales.
 *
 * @param description fields name, paper, scales and published
 * @param wanted scales at which figures may be measured, the preferred one first, of any preset
 * @param scales of the wanted scales, those that the preset has, in the same order
 */
record PublishedPreset(JsonNode description, List<String> wanted, List<ScaledPreset> scales) {

    /**
     * Reads the presets of a service.
     *
     * @param names none for all presets with published figures
     * @param wanted scales, the preferred one first
     * @throws UsageError if there is no such preset, it has no published figures, or no selected
     *     preset has one of the scales, with all such errors
     */
    static List<PublishedPreset> read(ServiceApi api, List<String> names, List<String> wanted) {
        List<JsonNode> published = published(api);
        List<JsonNode> selected =
                published.stream()
                        .filter(it -> names.isEmpty() || names.contains(name(it)))
                        .toList();
        List<String> errors = new ArrayList<>(unknownNames(published, names));
        errors.addAll(unknownScales(selected, wanted));
        if (!errors.isEmpty()) {
            throw new UsageError(errors);
        }
        return selected.stream().map(it -> of(it, wanted, api)).toList();
    }

    private static List<JsonNode> published(ServiceApi api) {
        return api.get("presets")
                .path("items")
                .valueStream()
                .filter(it -> !it.path("published").isEmpty())
                .toList();
    }

    private static String name(JsonNode description) {
        return description.path("name").asString();
    }

    private static List<String> unknownNames(List<JsonNode> published, List<String> names) {
        List<String> known = published.stream().map(PublishedPreset::name).toList();
        return names.stream()
                .filter(it -> !known.contains(it))
                .map(it ->
                        "%s is no preset with published figures; these presets are %s"
                                .formatted(it, String.join(", ", known)))
                .toList();
    }

    private static List<String> unknownScales(List<JsonNode> selected, List<String> wanted) {
        Set<String> known = new LinkedHashSet<>();
        selected.forEach(it -> known.addAll(it.path("scales").propertyNames()));
        return wanted.stream()
                .filter(it -> !known.isEmpty() && !known.contains(it))
                .map(it ->
                        "--scale must list some of %s, the scales of %s, but has \"%s\""
                                .formatted(known, names(selected), it))
                .toList();
    }

    private static String names(List<JsonNode> selected) {
        return selected.stream().map(PublishedPreset::name).collect(joining(", "));
    }

    private static PublishedPreset of(JsonNode description, List<String> wanted, ServiceApi api) {
        return new PublishedPreset(
                description,
                wanted,
                wanted.stream()
                        .distinct()
                        .filter(it -> description.path("scales").has(it))
                        .map(it -> ScaledPreset.read(api, name(description), it))
                        .toList());
    }

    /** Returns the names of the experiments that the definitions become. */
    Set<String> experiments() {
        Set<String> names = new TreeSet<>();
        scales.stream()
                .flatMap(it -> it.configurations().stream())
                .forEach(it -> names.add(name(it)));
        return names;
    }

    /** Returns the definitions with a run that a figure needs and the lab does not have. */
    List<ScaledPreset> missing(StoredRuns stored) {
        return scales.stream()
                .flatMap(it -> it.missing(stored, formsMeasuredAt(it.scale())).stream())
                .toList();
    }

    private List<FigureForm> formsMeasuredAt(String scale) {
        return description
                .path("published")
                .valueStream()
                .filter(it -> scaleOf(it).equals(Optional.of(scale)))
                .map(it -> new FigureForm(it.path("ours")))
                .toList();
    }

    /** Returns the first scale at which the form of a published figure holds. */
    private Optional<String> scaleOf(JsonNode figure) {
        JsonNode ours = figure.path("ours");
        return scales.stream()
                .map(ScaledPreset::scale)
                .filter(it -> ours.isObject() && new FigureForm(ours).isAt(it))
                .findFirst();
    }

    /**
     * Returns a line for each published figure.
     *
     * @param runs by scale, of all its configurations, in their order
     * @param withoutRun reason for no figure if a run is not completed
     */
    List<FigureTable.Line> lines(Map<String, List<PresetRun>> runs, String withoutRun) {
        return description
                .path("published")
                .valueStream()
                .map(figure ->
                        new FigureTable.Line(
                                description.path("paper").asString(),
                                name(description),
                                figure,
                                outcome(figure, runs, withoutRun),
                                otherScale(figure)))
                .toList();
    }

    private Outcome outcome(JsonNode figure, Map<String, List<PresetRun>> runs, String withoutRun) {
        if (scales.isEmpty()) {
            return new Outcome.Absent("the preset has no scale " + String.join(" or ", wanted));
        }
        var form = new FigureForm(figure.path("ours"));
        return scaleOf(figure)
                .map(it -> form.evaluate(runs.getOrDefault(it, List.of()), withoutRun))
                .orElseGet(() -> new Outcome.Absent(figure.path("because").asString()));
    }

    private Optional<String> otherScale(JsonNode figure) {
        return scaleOf(figure).filter(it -> !it.equals(wanted.getFirst()));
    }
}
