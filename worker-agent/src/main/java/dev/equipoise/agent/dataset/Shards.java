package dev.equipoise.agent.dataset;

import java.util.List;
import java.util.Objects;

/**
 * Who takes which samples of an epoch in which round. A round takes the next samples of the
 * permutation, and each rank of these the next of its own: so the ranks together see in a round
 * what a single rank would see with all their batches, however many they are. A rank's share is
 * spread evenly over the rounds; its batches differ by one sample at most, and where it has fewer
 * samples than rounds, some are empty.
 *
 * @param shares samples an epoch, by rank
 */
public record Shards(List<Integer> shares, int rounds) {

    public Shards {
        shares = List.copyOf(shares);
        if (shares.isEmpty() || shares.stream().anyMatch(share -> share < 0)) {
            throw new IllegalArgumentException(
                    "shares must be one a rank and not negative, but were " + shares);
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("rounds must be positive, but were " + rounds);
        }
    }

    /** Samples an epoch. */
    public int samples() {
        return total(shares);
    }

    /** What a rank takes in a round. */
    public Slice batch(int rank, int round) {
        Objects.checkIndex(round, rounds);
        int from = 0;
        for (int each = 0; each < shares.size(); each++) {
            from += boundary(round, shares.get(each));
            from += each < rank ? batchSize(each, round) : 0;
        }
        return new Slice(from, batchSize(rank, round));
    }

    /** How many samples a rank takes in a round. */
    public int batchSize(int rank, int round) {
        int share = shares.get(rank);
        return boundary(round + 1, share) - boundary(round, share);
    }

    /** The largest batch of a rank, which its mini-batch must have room for. */
    public int largestBatch(int rank) {
        return Math.ceilDiv(shares.get(rank), rounds);
    }

    private int boundary(int round, int share) {
        return Math.toIntExact((long) round * share / rounds);
    }

    private static int total(List<Integer> shares) {
        return Math.toIntExact(shares.stream().mapToLong(Integer::longValue).sum());
    }
}
