package dev.equipoise.agent.training;

import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * State of a rank from which it can continue: weights, optimizer and codec state, counters. Only
 * the rank's own thread uses it.
 */
final class RankState {

    /**
     * Indices of the counters that each rank keeps to itself: dropout's random state, and
     * nanoseconds trained.
     */
    private static final int DROPOUT = 0;

    static final int TRAINED = 1;

    private final MemorySegment weights;
    private final RankStateRegistry registry;
    private final boolean isReplicated;

    /**
     * @param registry registry whose first counters are dropout's random state and the nanoseconds
     *     trained
     * @param isReplicated whether all ranks have equal state after an epoch
     */
    RankState(MemorySegment weights, RankStateRegistry registry, boolean isReplicated) {
        this.weights = weights;
        this.registry = registry;
        this.isReplicated = isReplicated;
    }

    /** Returns the tensors that a joining rank copies from another: weights and optimizer state. */
    List<MemorySegment> transferred() {
        return Stream.concat(Stream.of(weights), registry.vectors().stream()).toList();
    }

    /**
     * Returns all tensors: those of {@link #transferred}, and behind them the residuals of this
     * rank.
     */
    List<MemorySegment> tensors() {
        return Stream.concat(transferred().stream(), registry.residuals().stream()).toList();
    }

    int count() {
        return registry.count();
    }

    void count(long[] room) {
        registry.count(room);
    }

    private long[] numbers() {
        long[] numbers = new long[count()];
        count(numbers);
        return numbers;
    }

    void restore(long[] numbers) {
        registry.restore(numbers);
    }

    /** Restores the counters of another rank, but keeps this rank's own dropout state. */
    void joinFrom(long[] numbersOfAnother) {
        long[] joined = numbersOfAnother.clone();
        joined[DROPOUT] = numbers()[DROPOUT];
        restore(joined);
    }

    /** Returns a copy of counters with another number of nanoseconds trained. */
    static long[] trained(long[] numbers, long nanos) {
        long[] later = numbers.clone();
        later[TRAINED] = nanos;
        return later;
    }

    /** Returns this rank's part of a checkpoint. */
    RankStatePart part(int rank) {
        List<Long> numbers = LongStream.of(numbers()).boxed().toList();
        if (!isReplicated) {
            return new RankStatePart(rank, numbers, List.of(), tensors());
        }
        return new RankStatePart(
                rank, numbers, rank == 0 ? transferred() : List.of(), registry.residuals());
    }

    /** Returns the part of rank 0 with the state that all ranks share, without residuals. */
    RankStatePart common() {
        return new RankStatePart(0, List.of(), isReplicated ? transferred() : List.of(), List.of());
    }

    /** Returns the part of a rank with the state that a joining rank takes over. */
    RankStatePart transferredBy(int rank) {
        return new RankStatePart(
                rank, List.of(), List.of(), isReplicated ? List.of() : transferred());
    }

    boolean isReplicated() {
        return isReplicated;
    }
}
