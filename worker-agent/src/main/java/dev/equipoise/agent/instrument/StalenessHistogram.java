package dev.equipoise.agent.instrument;

import java.util.ArrayList;
import java.util.List;

/**
 * How stale gradients were when they were applied: how many updates had come between the version of
 * the weights that they were computed on and the one that they met.
 *
 * @param counts of pushes by staleness, from 0 on; the last place of {@link #PLACES} has those
 *     beyond, too
 * @param sum of the staleness of all pushes
 * @param max the greatest staleness; 0 of no pushes
 */
public record StalenessHistogram(List<Long> counts, long sum, long max) {

    /** Staleness up to 1022 is told apart. */
    public static final int PLACES = 1024;

    public static final StalenessHistogram EMPTY = new StalenessHistogram(List.of(), 0, 0);

    /** The rear zeros are left away, so that histograms of the same pushes are equal. */
    public StalenessHistogram {
        int length = counts.size();
        while (length > 0 && counts.get(length - 1) == 0) {
            length--;
        }
        counts = List.copyOf(counts.subList(0, length));
        if (length > PLACES || counts.stream().anyMatch(count -> count < 0)) {
            throw new IllegalArgumentException(
                    "there must be at most %d counts, none negative, but they are %s"
                            .formatted(PLACES, counts));
        }
        if (place(max) != Math.max(0, length - 1) || sum < max) {
            throw new IllegalArgumentException(
                    "the greatest staleness must be that of the last of %d counts, and no more than"
                                    .formatted(length)
                            + " the sum, but they are %d and %d".formatted(max, sum));
        }
    }

    /** The place of a staleness among the counts. */
    static int place(long staleness) {
        return (int) Math.min(staleness, PLACES - 1);
    }

    /** The pushes of both, as of several servers or shards. */
    public StalenessHistogram plus(StalenessHistogram other) {
        List<Long> sums = new ArrayList<>();
        for (int i = 0; i < Math.max(counts.size(), other.counts.size()); i++) {
            sums.add(count(i) + other.count(i));
        }
        return new StalenessHistogram(sums, sum + other.sum, Math.max(max, other.max));
    }

    /** How many pushes had this staleness; the last place has those beyond, too. */
    public long count(int staleness) {
        return staleness < counts.size() ? counts.get(staleness) : 0;
    }

    /** How many pushes there were. */
    public long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** The mean staleness; 0 of no pushes. */
    public double mean() {
        return counts.isEmpty() ? 0 : (double) sum / total();
    }

    /**
     * The least staleness that so many pushes did not exceed; beyond what is told apart, the
     * greatest.
     *
     * @param share of the pushes, from 0 to 1, such as 0.95
     */
    public long quantile(double share) {
        double wanted = share * total();
        long below = 0;
        for (int i = 0; i < Math.min(counts.size(), PLACES - 1); i++) {
            below += counts.get(i);
            if (below >= wanted) {
                return i;
            }
        }
        return max;
    }
}
