package dev.equipoise.launcher;

/** Result of measuring a published figure by runs. */
sealed interface Outcome {

    /**
     * A figure of runs.
     *
     * @param least over all compared seed groups, in the unit of the published figure
     * @param most likewise; equal to the least for a single value
     */
    record Measured(double least, double most) implements Outcome {}

    /** No figure, with the reason. */
    record Absent(String reason) implements Outcome {}
}
