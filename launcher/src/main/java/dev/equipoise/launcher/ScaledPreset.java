package dev.equipoise.launcher;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The definitions of a preset at one of its scales. */
record ScaledPreset(String scale, List<Definition> definitions) {

    /** A definition, and the run configurations to which it expands. */
    record Definition(ServiceApi.Document document, List<JsonNode> configurations) {

        private static Definition of(ServiceApi.Document document, ServiceApi api) {
            return new Definition(document, Submission.check(api, List.of(document)));
        }
    }

    /**
     * Reads the definitions of a service.
     *
     * @throws UsageError if the service has no preset of that name, or not at that scale
     */
    static ScaledPreset read(ServiceApi api, String name, String scale) {
        var source = new Source(name, scale, Overrides.of(List.of(), JsonMapper.shared()));
        return new ScaledPreset(
                scale, source.fromPreset(api).stream().map(it -> Definition.of(it, api)).toList());
    }

    /** Returns the configurations of all definitions, in order. */
    List<JsonNode> configurations() {
        return definitions.stream().flatMap(it -> it.configurations().stream()).toList();
    }

    /** Returns this scale with only the definitions that have a needed run which is not stored. */
    Optional<ScaledPreset> missing(StoredRuns stored, List<FigureForm> forms) {
        List<Definition> missing =
                definitions.stream()
                        .filter(it ->
                                it.configurations().stream()
                                        .filter(run -> stored.of(run).isEmpty())
                                        .anyMatch(run ->
                                                forms.stream().anyMatch(form -> form.isOver(run))))
                        .toList();
        return missing.isEmpty() ? Optional.empty() : Optional.of(new ScaledPreset(scale, missing));
    }
}
