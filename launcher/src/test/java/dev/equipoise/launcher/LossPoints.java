package dev.equipoise.launcher;

import tools.jackson.databind.JsonNode;

/** Bounds the sampling stride at which agents report the points of a loss curve. */
final class LossPoints {

    /** Limit of points that a rank reports in 1 s; a rank that has more doubles its stride. */
    private static final int MAX_POINTS_PER_SECOND = 50;

    /** Factor by which 1 s may have more rounds than a mean second of the fastest epoch. */
    private static final int SLACK = 4;

    /** Least bound, in rounds: a busy machine has fast seconds too. */
    private static final int MIN_STRIDE = 4;

    private LossPoints() {}

    /**
     * Returns the largest number of rounds from one point to the next if no point is lost: the
     * faster the run, the more. A lost report leaves a gap of the rounds of 1 s.
     *
     * @param run with at least one epoch
     */
    static int maxStride(JsonNode run) {
        double fastest =
                run.path("epochs")
                        .valueStream()
                        .mapToDouble(it -> it.path("epochSeconds").asDouble())
                        .min()
                        .orElseThrow();
        double roundsPerSecond = run.path("rounds").asInt() / fastest;
        int stride = MIN_STRIDE;
        while (stride * MAX_POINTS_PER_SECOND < SLACK * roundsPerSecond) {
            stride *= 2;
        }
        return stride;
    }
}
