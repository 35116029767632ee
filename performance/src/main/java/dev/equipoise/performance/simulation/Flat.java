package dev.equipoise.performance.simulation;

import java.util.Arrays;

/**
 * All to rank 0, which takes them one after the other as they become ready, and from there back to
 * all, one after the other. Who is early is taken before the last one is ready.
 */
final class Flat implements Exchange {

    private final double takeSeconds;
    private final double tellSeconds;
    private final double frameBytes;
    private double bytes;

    /** On the slowest of the links of rank 0. */
    Flat(Scenario scenario) {
        Traffic traffic = scenario.traffic();
        double message = 0;
        for (int rank = 1; rank < scenario.replicas(); rank++) {
            message = Math.max(message, scenario.links().seconds(rank, 0, traffic.frameBytes()));
        }
        this.frameBytes = traffic.frameBytes();
        this.tellSeconds = message;
        this.takeSeconds = message + traffic.addSecondsPerByte() * traffic.vectorBytes();
    }

    @Override
    public void play(double[] ready, double[] needed) {
        double[] others = Arrays.copyOfRange(ready, 1, ready.length);
        Arrays.sort(others);
        double taken = 0;
        for (double other : others) {
            taken = Math.max(taken, other) + takeSeconds;
        }
        double last = Arrays.stream(ready).max().orElseThrow();
        double end = Math.max(taken, ready[0]) + others.length * tellSeconds;
        Arrays.fill(needed, last);
        Arrays.fill(ready, end);
        bytes += 2.0 * others.length * frameBytes;
    }

    @Override
    public double bytes() {
        return bytes;
    }
}
