package dev.equipoise.app.run;

import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.configuration.WrittenPaths;
import java.time.Instant;
import java.util.Set;

/**
 * Configuration of a run in a set whose runs are told apart by labels.
 *
 * @param written paths that its definition writes
 * @param queuedAt queue time of the run
 */
public record LabeledConfiguration(
        ConfigurationValues values, WrittenPaths written, Instant queuedAt) {

    /** Returns the configuration without the values at some paths. */
    public LabeledConfiguration without(Set<String> paths) {
        return new LabeledConfiguration(values.without(paths), written, queuedAt);
    }
}
