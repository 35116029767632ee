package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Part of one rank in a checkpoint; the tensors refer to the memory of the rank.
 *
 * @param numbers counters and random states
 * @param common float32 tensors that are equal on all ranks; only rank 0 stores them
 * @param own float32 tensors of this rank alone
 */
public record RankStatePart(
        int rank, List<Long> numbers, List<MemorySegment> common, List<MemorySegment> own) {

    public RankStatePart {
        numbers = List.copyOf(numbers);
        common = List.copyOf(common);
        own = List.copyOf(own);
    }

    /** Returns the common tensors, and behind them those of this rank alone. */
    public List<MemorySegment> tensors() {
        return Stream.concat(common.stream(), own.stream()).toList();
    }

    /** Returns the header of the part's file. */
    public CheckpointHeader header(RunId run, int generation, int epoch, int ranks) {
        return new CheckpointHeader(
                run, generation, epoch, ranks, rank, numbers.size(), floats(common), floats(own));
    }

    static long floats(List<MemorySegment> tensors) {
        return tensors.stream().mapToLong(MemorySegment::byteSize).sum() / Float.BYTES;
    }
}
