package dev.equipoise.performance.partition;

import java.util.Collections;
import java.util.List;

/**
 * An epoch whose samples are shared.
 *
 * @param samples of the epoch
 * @param rounds of the epoch: a rank with the share n takes about n / rounds samples in each
 * @param most memory bound of each rank in rank order, in samples of a round
 */
public record EpochWork(int samples, int rounds, List<Integer> most) {

    public EpochWork {
        most = List.copyOf(most);
        long capacity = most.stream().mapToLong(it -> (long) it * rounds).sum();
        if (samples < 1 || rounds < 1 || most.isEmpty() || Collections.min(most) < 0) {
            throw new IllegalArgumentException(
                    ("%d samples in %d rounds for ranks with memory for %s are out of range:"
                                    + " at least 1 sample, 1 round and 1 rank")
                            .formatted(samples, rounds, most));
        }
        if (capacity < samples) {
            throw new IllegalArgumentException(
                    ("%d samples in %d rounds exceed the memory of the ranks by %d: they have"
                                    + " memory for %s samples a round")
                            .formatted(samples, rounds, samples - capacity, most));
        }
    }

    /** Creates an epoch for ranks with memory for all samples. */
    public static EpochWork of(int samples, int rounds, int ranks) {
        return new EpochWork(samples, rounds, Collections.nCopies(ranks, samples));
    }

    int ranks() {
        return most.size();
    }

    /** Returns the memory bound of a rank, in samples of an epoch. */
    int capacity(int rank) {
        return (int) Math.min(samples, (long) most.get(rank) * rounds);
    }

    double samplesOfRound() {
        return (double) samples / rounds;
    }
}
