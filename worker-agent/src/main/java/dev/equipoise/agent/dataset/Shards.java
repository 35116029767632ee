package dev.equipoise.agent.dataset;

import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.protocol.Position;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Who takes which samples of an epoch in which round. A round takes the next samples of the
 * permutation, and each rank of these the next of its own: so the ranks together see in a round
 * what a single rank would see with all their batches, however many they are. A rank's share is
 * spread evenly over the rounds; its batches differ by one sample at most, and where it has fewer
 * samples than rounds, some are empty.
 *
 * @param shares samples of these rounds, by rank
 * @param rounds of a whole epoch
 * @param first the round with which they begin, from 0; all of them are over where it is the number
 *     of rounds
 * @param start how many samples of the epoch others have taken in the rounds before
 */
public record Shards(List<Integer> shares, int rounds, int first, int start) {

    public Shards {
        shares = List.copyOf(shares);
        if (shares.isEmpty() || shares.stream().anyMatch(share -> share < 0)) {
            throw new IllegalArgumentException(
                    "shares must be one a rank and not negative, but were " + shares);
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("rounds must be positive, but were " + rounds);
        }
        if (first < 0 || first > rounds || start < 0) {
            throw new IllegalArgumentException(
                    "shards must begin in the epoch, but begin with round %d of %d at sample %d"
                            .formatted(first, rounds, start));
        }
    }

    /** Of a whole epoch. */
    public Shards(List<Integer> shares, int rounds) {
        this(shares, rounds, 0, 0);
    }

    /**
     * Those of an epoch whose first rounds others have done, in the same proportion.
     *
     * @param done how many rounds
     * @param taken how many samples, all together
     */
    public Shards after(int done, int taken) {
        int left = samples() - taken;
        if (left < 0 || (done == rounds && left > 0)) {
            throw new IllegalArgumentException(
                    "%d of %d samples cannot have been taken in %d of %d rounds"
                            .formatted(taken, samples(), done, rounds));
        }
        return new Shards(
                left == 0
                        ? Collections.nCopies(shares.size(), 0)
                        : Partitioner.inProportion(left, shares),
                rounds,
                done,
                taken);
    }

    /**
     * Where all of an epoch is done.
     *
     * @param epoch from 1
     */
    public Position end(int epoch) {
        return new Position(epoch, rounds, samples());
    }

    /** Samples an epoch. */
    public int samples() {
        return start + total(shares);
    }

    /**
     * How many samples of the epoch are taken before a round; all of them before the one behind the
     * last.
     */
    public int before(int round) {
        Objects.checkIndex(round - first, rounds - first + 1);
        int taken = start;
        for (int share : shares) {
            taken += boundary(round, share);
        }
        return taken;
    }

    /** What a rank takes in a round. */
    public Slice batch(int rank, int round) {
        Objects.checkIndex(round - first, rounds - first);
        int from = start;
        for (int each = 0; each < shares.size(); each++) {
            from += boundary(round, shares.get(each));
            from += each < rank ? batchSize(each, round) : 0;
        }
        return new Slice(from, batchSize(rank, round));
    }

    /** How many samples a rank takes in a round; none in those that others have done. */
    public int batchSize(int rank, int round) {
        if (round < first) {
            return 0;
        }
        int share = shares.get(rank);
        return boundary(round + 1, share) - boundary(round, share);
    }

    /** The largest batch of a rank, which its mini-batch must have room for. */
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
