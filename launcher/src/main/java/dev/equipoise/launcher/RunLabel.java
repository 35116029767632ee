package dev.equipoise.launcher;

import tools.jackson.databind.JsonNode;

/** Names that the service gives to the runs and groups of a comparison. */
final class RunLabel {

    private RunLabel() {}

    /** Returns the unique name of a run, with its seed if seeds differ: {@code bsp, seed 1}. */
    static String of(JsonNode run) {
        return run.path("name").asString("");
    }

    /** Returns the label of a group, which no seed distinguishes: {@code bsp}. */
    static String label(JsonNode group) {
        return group.path("label").asString("");
    }
}
