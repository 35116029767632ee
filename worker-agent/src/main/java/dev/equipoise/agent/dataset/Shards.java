package dev.equipoise.agent.dataset;

import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.protocol.Position;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Assignment of the samples of an epoch to rounds and ranks. A round takes the next samples of the
 * permutation, and each rank the next of these, so that the ranks together see in a round what one
 * rank with all their batches would see. A rank's share is spread evenly over the rounds: its
 * batches differ by at most one sample, and some are empty if it has fewer samples than rounds
 * (docs/algorithms.md, section 1.2).
 *
 * @param shares samples of each rank in these rounds
 * @param rounds number of rounds of a whole epoch
 * @param first index of the first of these rounds, from 0; equal to {@code rounds} when none is
 *     left
 * @param start number of samples of the epoch that were taken in earlier rounds
 */
public record Shards(List<Integer> shares, int rounds, int first, int start) {

    public Shards {
        shares = List.copyOf(shares);
        if (shares.isEmpty() || shares.stream().anyMatch(share -> share < 0)) {
            throw new IllegalArgumentException(
                    "there must be one share for each rank, none negative, but they are " + shares);
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
        }
        if (first < 0 || first > rounds || start < 0) {
            throw new IllegalArgumentException(
                    "shards must begin within the epoch, but begin at round %d of %d and sample %d"
                            .formatted(first, rounds, start));
        }
    }

    /** Creates the shards of a whole epoch. */
    public Shards(List<Integer> shares, int rounds) {
        this(shares, rounds, 0, 0);
    }

    /**
     * Divides the rest of an epoch in the same proportion.
     *
     * @param done number of rounds already done
     * @param taken number of samples already taken, by all ranks together
     */
    public Shards after(int done, int taken) {
        int remaining = samples() - taken;
        if (remaining < 0 || (done == rounds && remaining > 0)) {
            throw new IllegalArgumentException(
                    "%d of %d samples cannot have been taken in %d of %d rounds"
                            .formatted(taken, samples(), done, rounds));
        }
        return new Shards(
                remaining == 0
                        ? Collections.nCopies(shares.size(), 0)
                        : Partitioner.inProportion(remaining, shares),
                rounds,
                done,
                taken);
    }

    /**
     * Returns the position at the end of an epoch.
     *
     * @param epoch from 1
     */
    public Position end(int epoch) {
        return new Position(epoch, rounds, samples());
    }

    /** Returns the number of samples of the epoch. */
    public int samples() {
        return start + total(shares);
    }

    /**
     * Returns the number of samples of the epoch taken before a round; the round behind the last
     * one gives all of them.
     */
    public int before(int round) {
        Objects.checkIndex(round - first, rounds - first + 1);
        int taken = start;
        for (int share : shares) {
            taken += boundary(round, share);
        }
        return taken;
    }

    /** Returns the samples of a rank in a round. */
    public Slice batch(int rank, int round) {
        Objects.checkIndex(round - first, rounds - first);
        int from = start;
        for (int other = 0; other < shares.size(); other++) {
            from += boundary(round, shares.get(other));
            from += other < rank ? batchSize(other, round) : 0;
        }
        return new Slice(from, batchSize(rank, round));
    }

    /** Returns the number of samples of a rank in a round; 0 in rounds before the first one. */
    public int batchSize(int rank, int round) {
        if (round < first) {
            return 0;
        }
        int share = shares.get(rank);
        return boundary(round + 1, share) - boundary(round, share);
    }

    /** Returns the largest batch of a rank, which is the capacity that its mini-batch needs. */
    public int largestBatch(int rank) {
        return first == rounds ? 0 : Math.ceilDiv(shares.get(rank), rounds - first);
    }

    private int boundary(int round, int share) {
        return first == rounds
                ? 0
                : Math.toIntExact((long) (round - first) * share / (rounds - first));
    }

    private static int total(List<Integer> shares) {
        return Math.toIntExact(shares.stream().mapToLong(Integer::longValue).sum());
    }
}
