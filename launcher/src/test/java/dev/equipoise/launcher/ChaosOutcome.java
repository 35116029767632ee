package dev.equipoise.launcher;

/**
 * The result of one cell of the chaos test.
 *
 * @param generations number of generations of the run, the first included
 * @param accuracy test accuracy at the end
 */
record ChaosOutcome(
        ChaosCell cell,
        Resumption resumption,
        int generations,
        double accuracy,
        PointCount points) {}
