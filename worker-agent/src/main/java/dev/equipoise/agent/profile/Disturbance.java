package dev.equipoise.agent.profile;

/**
 * Rule that tells whether other load on the host has disturbed a measurement.
 *
 * @param maxDeviation limit of the standard deviation, as a fraction of the mean
 * @param maxWaiting limit of the time for which computing threads wait for a processor, as a
 *     fraction of their time
 */
record Disturbance(double maxDeviation, double maxWaiting) {

    static final Disturbance DEFAULT = new Disturbance(0.3, 0.1);

    /**
     * Rule that accepts everything, for co-located workers that fill the host: their waiting is
     * part of the measurement.
     */
    static final Disturbance NONE =
            new Disturbance(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * Returns whether a point must be measured again.
     *
     * @param waited fraction of the time for which the computing threads waited
     */
    boolean isIn(Sample sample, double waited) {
        return degree(sample, waited) > 1;
    }

    /**
     * Returns the larger ratio of deviation or waiting to its limit; above 1 the sample is
     * disturbed.
     */
    double degree(Sample sample, double waited) {
        return Math.max(sample.deviation() / (maxDeviation * sample.mean()), waited / maxWaiting);
    }
}
