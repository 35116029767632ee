package dev.equipoise.agent.replica;

import dev.equipoise.agent.checkpoint.Part;
import dev.equipoise.agent.checkpoint.Remembered;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * All that a rank must have to go on: its weights, what it remembers, and what it counts. The
 * rank's own thread uses it.
 */
final class RankMemory {

    /** Those of its own: what dropout draws next, and nanoseconds trained; the first numbers. */
    private static final int DROPOUT = 0;

    private static final int TRAINED = 1;

    private final MemorySegment weights;
    private final Remembered remembered;
    private final boolean isAlike;

    /**
     * @param remembered with what dropout draws, and nanoseconds trained, as its first numbers
     * @param isAlike whether all ranks have the same weights, and remember the same, after an epoch
     */
    RankMemory(MemorySegment weights, Remembered remembered, boolean isAlike) {
        this.weights = weights;
        this.remembered = remembered;
        this.isAlike = isAlike;
    }

    /** The weights, and what a rank that joins later takes of another. */
    List<MemorySegment> handedOver() {
        return Stream.concat(Stream.of(weights), remembered.vectors().stream()).toList();
    }

    /** Those, and behind them what only this rank has. */
    List<MemorySegment> tensors() {
        return Stream.concat(handedOver().stream(), remembered.residuals().stream()).toList();
    }

    int count() {
        return remembered.count();
    }

    void count(long[] room) {
        remembered.count(room);
    }

    private long[] numbers() {
        long[] numbers = new long[count()];
        count(numbers);
        return numbers;
    }

    void goOnFrom(long[] numbers) {
        remembered.goOnFrom(numbers);
    }

    /**
     * Goes on as another rank would, but that this one's dropout draws what it would have drawn.
     */
    void joinAt(long[] numbersOfAnother) {
        long[] joined = numbersOfAnother.clone();
        joined[DROPOUT] = numbers()[DROPOUT];
        goOnFrom(joined);
    }

    /** The same numbers, after so many nanoseconds of training. */
    static long[] trained(long[] numbers, long nanos) {
        long[] later = numbers.clone();
        later[TRAINED] = nanos;
        return later;
    }

    /** This rank's part of a checkpoint. */
    Part part(int rank) {
        List<Long> numbers = LongStream.of(numbers()).boxed().toList();
        if (!isAlike) {
            return new Part(rank, numbers, List.of(), tensors());
        }
        return new Part(
                rank, numbers, rank == 0 ? handedOver() : List.of(), remembered.residuals());
    }

    /** What rank 0 has told for all; without what it has for itself. */
    Part common() {
        return new Part(0, List.of(), isAlike ? handedOver() : List.of(), List.of());
    }

    /** What a rank that has left nothing takes of another that has. */
    Part handedOverBy(int rank) {
        return new Part(rank, List.of(), List.of(), isAlike ? List.of() : handedOver());
    }

    boolean isAlike() {
        return isAlike;
    }
}
