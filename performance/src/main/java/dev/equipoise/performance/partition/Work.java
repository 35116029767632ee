package dev.equipoise.performance.partition;

import java.util.Collections;
import java.util.List;

/**
 * An epoch that is to be shared.
 *
 * @param samples of the epoch
 * @param rounds of the epoch: a rank with the share n takes about n / rounds samples in each
 * @param most samples that each rank has room for in a round, in rank order
 */
public record Work(int samples, int rounds, List<Integer> most) {

    public Work {
        most = List.copyOf(most);
        long room = most.stream().mapToLong(it -> (long) it * rounds).sum();
        if (samples < 1 || rounds < 1 || most.isEmpty() || Collections.min(most) < 0) {
            throw new IllegalArgumentException(
                    "%d samples in %d rounds cannot be shared by ranks with room for %s"
                            .formatted(samples, rounds, most));
        }
        if (room < samples) {
            throw new IllegalArgumentException(
                    "%d samples in %d rounds do not fit ranks with room for %s a round: %d too many"
                            .formatted(samples, rounds, most, samples - room));
        }
    }

    /** Of ranks that have room for all. */
    public static Work of(int samples, int rounds, int ranks) {
        return new Work(samples, rounds, Collections.nCopies(ranks, samples));
    }

    int ranks() {
        return most.size();
    }

    /** Room of a rank for an epoch. */
    int room(int rank) {
        return (int) Math.min(samples, (long) most.get(rank) * rounds);
    }

    double samplesOfRound() {
        return (double) samples / rounds;
    }
}
