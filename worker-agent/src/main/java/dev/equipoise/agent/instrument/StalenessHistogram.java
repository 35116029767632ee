package dev.equipoise.agent.instrument;

import java.util.ArrayList;
import java.util.List;

/**
 * Histogram of staleness: the number of updates between the version of the weights that a gradient
 * was computed on and the version to which it was applied.
 *
 * @param counts pushes by staleness, from 0 on; the last of {@link #BINS} bins counts all greater
 *     ones too
 * @param sum staleness of all pushes
 * @param max greatest staleness; 0 without pushes
 */
public record StalenessHistogram(List<Long> counts, long sum, long max) {

    /** Number of bins: staleness up to 1022 has a bin of its own. */
    public static final int BINS = 1024;

    public static final StalenessHistogram EMPTY = new StalenessHistogram(List.of(), 0, 0);

    /** Drops trailing zeros, so that histograms of the same pushes are equal. */
    public StalenessHistogram {
        int length = counts.size();
        while (length > 0 && counts.get(length - 1) == 0) {
            length--;
        }
        counts = List.copyOf(counts.subList(0, length));
        if (length > BINS || counts.stream().anyMatch(count -> count < 0)) {
            throw new IllegalArgumentException(
                    "there must be at most %d counts, none negative, but they are %s"
                            .formatted(BINS, counts));
        }
        if (bin(max) != Math.max(0, length - 1) || sum < max) {
            throw new IllegalArgumentException(
                    "the greatest staleness must be that of the last of %d counts, and no more than"
                                    .formatted(length)
                            + " the sum, but they are %d and %d".formatted(max, sum));
        }
    }

    /** Returns the bin of a staleness. */
    static int bin(long staleness) {
        return (int) Math.min(staleness, BINS - 1);
    }

    /** Returns the histogram of the pushes of both, such as those of several servers or shards. */
    public StalenessHistogram plus(StalenessHistogram other) {
        List<Long> sums = new ArrayList<>();
        for (int i = 0; i < Math.max(counts.size(), other.counts.size()); i++) {
            sums.add(count(i) + other.count(i));
        }
        return new StalenessHistogram(sums, sum + other.sum, Math.max(max, other.max));
    }

    /**
     * Returns the number of pushes with this staleness; the last bin counts all greater ones too.
     */
    public long count(int staleness) {
        return staleness < counts.size() ? counts.get(staleness) : 0;
    }

    /** Returns the number of pushes. */
    public long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the mean staleness; 0 without pushes. */
    public double mean() {
        return counts.isEmpty() ? 0 : (double) sum / total();
    }

    /**
     * Returns the least staleness that this share of the pushes does not exceed; the maximum if
     * that falls into the last bin.
     *
     * @param share from 0 to 1, such as 0.95
     */
    public long quantile(double share) {
        double wanted = share * total();
        long below = 0;
        for (int i = 0; i < Math.min(counts.size(), BINS - 1); i++) {
            below += counts.get(i);
            if (below >= wanted) {
                return i;
            }
        }
        return max;
    }
}
