package dev.equipoise.benchmarks.api;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Measured latencies in one unit, which the caller chooses. Adding is thread-safe. */
final class Latencies {

    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final ConcurrentLinkedQueue<Double> all = new ConcurrentLinkedQueue<>();

    void add(double latency) {
        all.add(latency);
    }

    /** Adds the milliseconds since a value of {@link System#nanoTime}. */
    void addSince(long nanos) {
        add((System.nanoTime() - nanos) / NANOS_PER_MILLISECOND);
    }

    int count() {
        return all.size();
    }

    double median() {
        return quantile(0.5);
    }

    double p99() {
        return quantile(0.99);
    }

    double most() {
        return quantile(1);
    }

    /** Returns the quantile of a fraction from 0 to 1; 0 without times. */
    double quantile(double fraction) {
        double[] sorted = all.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int index = (int) Math.ceil(fraction * sorted.length) - 1;
        return sorted.length == 0 ? 0 : sorted[Math.max(0, index)];
    }
}
