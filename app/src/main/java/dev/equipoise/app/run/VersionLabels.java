package dev.equipoise.app.run;

import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.configuration.WrittenPaths;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Labels of the runs of one version of an experiment, among which they stay the same. */
@Component
class VersionLabels {

    private final JsonMapper json;

    VersionLabels(JsonMapper json) {
        this.json = json;
    }

    /** Returns the label of each configuration; empty if the version has no other one. */
    List<String> of(StoredExperiment version) {
        WrittenPaths written = WrittenPaths.of(version.definition());
        return RunLabels.labels(
                version.configurations().stream()
                        .map(it -> ConfigurationValues.of(json.valueToTree(it)))
                        .map(it -> new LabeledConfiguration(it, written, version.definedAt()))
                        .toList());
    }
}
