package dev.equipoise.agent.dataset;

import java.util.List;
import java.util.Objects;

/**
 * Who takes which samples of an epoch in which round. Rank i takes a slice of the permutation as
 * long as its share, behind those of the ranks before it, and spreads it over the rounds, so that
 * all ranks have equally many rounds, every sample is used once an epoch, and the batches of a rank
 * differ by one sample at most. A rank may have fewer samples than rounds: some batches are empty.
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

    /** All that a rank takes in an epoch. */
    public Slice shard(int rank) {
        return new Slice(total(shares.subList(0, rank)), shares.get(rank));
    }

    /** What a rank takes in a round: floor(r n / R) to floor((r + 1) n / R) of its shard. */
    public Slice batch(int rank, int round) {
        Objects.checkIndex(round, rounds);
        Slice shard = shard(rank);
        int start = boundary(round, shard.count());
        return new Slice(shard.from() + start, boundary(round + 1, shard.count()) - start);
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
