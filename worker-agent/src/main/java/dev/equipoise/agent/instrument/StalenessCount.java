package dev.equipoise.agent.instrument;

import java.util.Arrays;

/** Counts gradients by their staleness, for one thread. Counting allocates nothing. */
public final class StalenessCount {

    private final long[] counts = new long[StalenessHistogram.BINS];
    private long sum;
    private long max;

    public void add(long staleness) {
        counts[StalenessHistogram.bin(staleness)]++;
        sum += staleness;
        max = Math.max(max, staleness);
    }

    void clear() {
        Arrays.fill(counts, 0);
        sum = 0;
        max = 0;
    }

    public StalenessHistogram histogram() {
        return new StalenessHistogram(Arrays.stream(counts).boxed().toList(), sum, max);
    }
}
