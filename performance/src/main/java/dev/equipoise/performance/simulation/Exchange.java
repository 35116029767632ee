package dev.equipoise.performance.simulation;

/** Simulated exchange between all ranks, or some, that ends for each rank at its own time. */
interface Exchange {

    /**
     * Simulates one exchange. Times are in seconds.
     *
     * @param ready in: when each replica begins the exchange; out: when each replica ends it
     * @param needed out: when the last participant that a replica needs was ready
     */
    void play(double[] ready, double[] needed);

    /** Returns the bytes sent so far. */
    double bytes();

    /**
     * Returns the seconds for which the outgoing port of the busiest server was busy; 0 without
     * servers.
     */
    default double serverBusy() {
        return 0;
    }
}
