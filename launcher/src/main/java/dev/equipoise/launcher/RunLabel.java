package dev.equipoise.launcher;

import tools.jackson.databind.JsonNode;

/** Names a run of a comparison by the settings that distinguish it. */
final class RunLabel {

    private RunLabel() {}

    /** Returns the label and the seed, such as {@code bsp, seed 1}. */
    static String of(JsonNode run) {
        return "%s, seed %d".formatted(label(run), run.path("seed").asLong());
    }

    /** Returns the label of a run or of a group; a method needs no name of its field. */
    static String label(JsonNode labeled) {
        return labeled.path("label").asString("").replaceAll("(^|, |: )synchronization=", "$1");
    }
}
