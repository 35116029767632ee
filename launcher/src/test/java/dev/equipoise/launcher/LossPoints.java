package dev.equipoise.launcher;

import tools.jackson.databind.JsonNode;

/** The points of a curve of losses, as an agent tells them of the rounds of a rank. */
final class LossPoints {

    /** Points that a rank tells in a second, at most: of every second, fourth, ... round. */
    private static final int MOST_IN_A_SECOND = 50;

    /** How much quicker a second may be than the quickest epoch. */
    private static final int SLACK = 4;

    /** On any machine, as one that is busy has quick seconds too. */
    private static final int LEAST = 4;

    private LossPoints() {}

    /**
     * From one point to the next, where none is lost: the quicker the run, the more. A report that
     * is lost leaves a gap of a second's rounds.
     *
     * @param run with at least one epoch
     */
    static int mostRoundsBetween(JsonNode run) {
        double quickest =
                run.path("epochs")
                        .valueStream()
                        .mapToDouble(it -> it.path("epochSeconds").asDouble())
                        .min()
                        .orElseThrow();
        double roundsPerSecond = run.path("rounds").asInt() / quickest;
        int every = LEAST;
        while (every * MOST_IN_A_SECOND < SLACK * roundsPerSecond) {
            every *= 2;
        }
        return every;
    }
}
