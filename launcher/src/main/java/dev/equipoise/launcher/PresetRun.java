package dev.equipoise.launcher;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A run that a preset asks for.
 *
 * @param figures its figures, as comparisons have them; a missing node without a completed run
 * @param epochs trained epochs; 0 without a completed run
 * @param rounds rounds of an epoch; 0 without a completed run
 */
record PresetRun(JsonNode configuration, JsonNode figures, int epochs, int rounds) {

    boolean isCompleted() {
        return !figures.isMissingNode();
    }

    /** Returns the configuration without its seed, which runs of one seed group share. */
    JsonNode withoutSeed() {
        ObjectNode copy = configuration.asObject().deepCopy();
        copy.remove("seed");
        return copy;
    }
}
