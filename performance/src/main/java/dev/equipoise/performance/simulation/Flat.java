package dev.equipoise.performance.simulation;

import java.util.Arrays;

/**
 * Flat all-reduce: rank 0 receives the vectors of the others one by one in the order in which these
 * are ready, and then sends the sum to each, one by one. Early ranks are received before the last
 * one is ready.
 */
final class Flat implements Exchange {

    private final double receiveSeconds;
    private final double sendSeconds;
    private final double frameBytes;
    private double bytes;

    /** Uses the cost of the slowest link of rank 0. */
    Flat(Scenario scenario) {
        Traffic traffic = scenario.traffic();
        double message = 0;
        for (int rank = 1; rank < scenario.replicas(); rank++) {
            message = Math.max(message, scenario.links().seconds(rank, 0, traffic.frameBytes()));
        }
        this.frameBytes = traffic.frameBytes();
        this.sendSeconds = message;
        this.receiveSeconds = message + traffic.addSecondsPerByte() * traffic.vectorBytes();
    }

    @Override
    public void play(double[] ready, double[] needed) {
        double[] others = Arrays.copyOfRange(ready, 1, ready.length);
        Arrays.sort(others);
        double received = 0;
        for (double other : others) {
            received = Math.max(received, other) + receiveSeconds;
        }
        double last = Arrays.stream(ready).max().orElseThrow();
        double end = Math.max(received, ready[0]) + others.length * sendSeconds;
        Arrays.fill(needed, last);
        Arrays.fill(ready, end);
        bytes += 2.0 * others.length * frameBytes;
    }

    @Override
    public double bytes() {
        return bytes;
    }
}
