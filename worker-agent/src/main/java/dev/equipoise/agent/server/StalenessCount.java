package dev.equipoise.agent.server;

import java.util.Arrays;

/** Counts pushes by their staleness; for the server's thread. Allocates nothing as it counts. */
final class StalenessCount {

    private final long[] counts = new long[StalenessHistogram.PLACES];
    private long sum;
    private long max;

    void add(long staleness) {
        counts[StalenessHistogram.place(staleness)]++;
        sum += staleness;
        max = Math.max(max, staleness);
    }

    StalenessHistogram histogram() {
        return new StalenessHistogram(Arrays.stream(counts).boxed().toList(), sum, max);
    }
}
