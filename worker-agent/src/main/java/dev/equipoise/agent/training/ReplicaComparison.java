package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Compares the replicas of a method that keeps them equal (docs/algorithms.md, section 10):
 * processors with different instruction sets may round differently. All ranks exchange checksums of
 * their weights. Only if these differ, the first replica sends its weights, and each other one
 * measures its distance from them. One thread uses it.
 */
final class ReplicaComparison {

    /** Parts of a checksum, of 16 bits each, which float32 holds exactly. */
    private static final int PARTS = 4;

    private static final int BITS = 16;
    private static final long MASK = (1L << BITS) - 1;
    private static final int HEXADECIMAL = 16;

    private final Channel channel;
    private final MemorySegment weights;
    private final MemorySegment scratch;
    private final int first;
    private final RecursiveDoubling allReduce;
    private final Broadcast broadcast;

    /** Checksums of all ranks, as float32, one row for each rank. */
    private final MemorySegment checksums;

    /** Whether the method keeps several replicas equal. */
    private final boolean shouldBeEqual;

    private boolean isDisabled;

    /**
     * @param scratch as long as the weights; overwritten if replicas differ
     * @param memory must outlive this
     */
    ReplicaComparison(
            TrainingPlan plan,
            Channel channel,
            MemorySegment weights,
            MemorySegment scratch,
            Arena memory) {
        long elements = (long) PARTS * channel.size();
        this.channel = channel;
        this.weights = weights;
        this.scratch = scratch;
        this.first = plan.method().ranksWithoutWeights();
        this.shouldBeEqual =
                channel.size() - plan.method().topology().servers() > 1
                        && plan.method().endsEpochsWithEqualReplicas(plan.division().rounds());
        this.allReduce = new RecursiveDoubling(channel, elements, memory);
        this.broadcast = new Broadcast(channel, memory);
        this.checksums = memory.allocate(JAVA_FLOAT, elements);
    }

    /** Compares no replicas any more; all ranks of a run call it, or none. */
    void disable() {
        isDisabled = true;
    }

    /** Verdict of a comparison, the same on all ranks. */
    enum Verdict {
        /** The method does not keep replicas equal, or there is one replica. */
        NOT_COMPARED,
        /** The method keeps replicas equal, but the comparison is disabled. */
        UNKNOWN,
        /** All replicas have the same checksum. */
        EQUAL,
        /** Replicas differ though the method keeps them equal. */
        DIFFERENT
    }

    /**
     * Result of a comparison.
     *
     * @param own distance of this replica from the first one; null if both are equal, or not
     *     compared
     */
    record Result(Verdict verdict, @Nullable ReplicaDistance own) {

        private static final Result NOT_COMPARED = new Result(Verdict.NOT_COMPARED, null);
        private static final Result UNKNOWN = new Result(Verdict.UNKNOWN, null);
        private static final Result EQUAL = new Result(Verdict.EQUAL, null);

        boolean areEqual() {
            return verdict == Verdict.EQUAL;
        }

        boolean areUnknown() {
            return verdict == Verdict.UNKNOWN;
        }

        boolean differ() {
            return verdict == Verdict.DIFFERENT;
        }
    }

    /**
     * Compares the replicas, if the method keeps them equal after an epoch; every rank calls it,
     * outside of all rounds.
     *
     * @param checksum {@link WeightChecksum} of this rank's weights
     */
    Result compare(String checksum) {
        if (!shouldBeEqual) {
            return Result.NOT_COMPARED;
        }
        if (isDisabled) {
            return Result.UNKNOWN;
        }
        gather(Long.parseUnsignedLong(checksum, HEXADECIMAL));
        if (areAllEqual()) {
            return Result.EQUAL;
        }
        if (channel.rank() == first) {
            scratch.copyFrom(weights);
        }
        broadcast.from(first, scratch);
        return new Result(
                Verdict.DIFFERENT,
                equalsFirst(channel.rank()) ? null : distance(weights, scratch, first));
    }

    /**
     * Compares the replicas as {@link #compare} does, and gives those that differ the weights of
     * the first one.
     *
     * @return distance of this replica from the first one before; null if both were equal
     */
    @Nullable ReplicaDistance equalize() {
        Result result = compare(WeightChecksum.of(weights));
        if (result.differ() && channel.rank() >= first) {
            weights.copyFrom(scratch);
        }
        return result.own();
    }

    /** Gathers the checksums by an all-reduce whose elements have one nonzero summand each. */
    private void gather(long checksum) {
        checksums.fill((byte) 0);
        for (int part = 0; part < PARTS; part++) {
            long bits = (checksum >>> (part * BITS)) & MASK;
            checksums.setAtIndex(JAVA_FLOAT, at(channel.rank(), part), (float) bits);
        }
        allReduce.sum(checksums);
    }

    private static long at(int rank, int part) {
        return (long) rank * PARTS + part;
    }

    private boolean areAllEqual() {
        for (int rank = first + 1; rank < channel.size(); rank++) {
            if (!equalsFirst(rank)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a rank has the checksum of the first replica; so has a server without weights. */
    private boolean equalsFirst(int rank) {
        if (rank < first) {
            return true;
        }
        for (int part = 0; part < PARTS; part++) {
            if (checksums.getAtIndex(JAVA_FLOAT, at(rank, part))
                    != checksums.getAtIndex(JAVA_FLOAT, at(first, part))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the distance of weights from those of another rank; null if it is not finite, which
     * the next loss reports as divergence.
     */
    static @Nullable ReplicaDistance distance(
            MemorySegment weights, MemorySegment others, int from) {
        double squares = 0;
        double length = 0;
        for (long i = 0; i < weights.byteSize(); i += Float.BYTES) {
            double other = others.get(JAVA_FLOAT, i);
            double difference = weights.get(JAVA_FLOAT, i) - other;
            squares += difference * difference;
            length += other * other;
        }
        double absolute = Math.sqrt(squares);
        double relative = length == 0 ? 0 : absolute / Math.sqrt(length);
        return Double.isFinite(absolute) && Double.isFinite(relative)
                ? new ReplicaDistance(from, absolute, relative)
                : null;
    }
}
