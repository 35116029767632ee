package dev.equipoise.performance.simulation;

/** An exchange between all ranks, or some, that ends for each at some time. */
interface Exchange {

    /**
     * Plays it once.
     *
     * @param ready when each replica begins with it; when each ends it, after
     * @param needed when the last one that a replica needs was ready, after
     */
    void play(double[] ready, double[] needed);

    /** Sent so far. */
    double bytes();

    /** Seconds for which the busiest server's wires were busy; 0 without servers. */
    default double serverBusy() {
        return 0;
    }
}
