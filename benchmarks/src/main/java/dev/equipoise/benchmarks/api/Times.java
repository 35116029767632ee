package dev.equipoise.benchmarks.api;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Times that were measured, in milliseconds. Any thread may add. */
final class Times {

    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final ConcurrentLinkedQueue<Double> all = new ConcurrentLinkedQueue<>();

    void add(double milliseconds) {
        all.add(milliseconds);
    }

    /** What has passed since a moment of {@link System#nanoTime}. */
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

    /** The least time that so large a part of all does not exceed; 0 where there are none. */
    double quantile(double part) {
        double[] sorted = all.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int place = (int) Math.ceil(part * sorted.length) - 1;
        return sorted.length == 0 ? 0 : sorted[Math.max(0, place)];
    }
}
