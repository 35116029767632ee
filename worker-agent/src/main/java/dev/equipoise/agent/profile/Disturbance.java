package dev.equipoise.agent.profile;

/**
 * When other load on the machine has disturbed a measurement.
 *
 * @param mostDeviation the part of the mean that the standard deviation may be
 * @param mostWaiting the part of its time for which a computing thread may wait for a processor
 */
record Disturbance(double mostDeviation, double mostWaiting) {

    static final Disturbance DEFAULT = new Disturbance(0.3, 0.1);

    /** Where the companions fill the machine by themselves, waiting is what is to be measured. */
    static final Disturbance NONE =
            new Disturbance(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * Whether a point must be measured anew.
     *
     * @param waited the part of the time that the computing threads waited
     */
    boolean isIn(Sample sample, double waited) {
        return degree(sample, waited) > 1;
    }

    /** How far beyond what is borne, at least 1 of what is disturbed, whichever way. */
    double degree(Sample sample, double waited) {
        return Math.max(sample.deviation() / (mostDeviation * sample.mean()), waited / mostWaiting);
    }
}
