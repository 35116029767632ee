package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What one rank has in a checkpoint, where it lies in memory.
 *
 * @param numbers that it counts
 * @param common float32 tensors that are the same on all ranks; none but of rank 0
 * @param own float32 tensors that it has for itself
 */
public record Part(
        int rank, List<Long> numbers, List<MemorySegment> common, List<MemorySegment> own) {

    public Part {
        numbers = List.copyOf(numbers);
        common = List.copyOf(common);
        own = List.copyOf(own);
    }

    /** What its file begins with. */
    public CheckpointHeader header(RunId run, int generation, int epoch, int ranks) {
        return new CheckpointHeader(
                run, generation, epoch, ranks, rank, numbers.size(), floats(common), floats(own));
    }

    static long floats(List<MemorySegment> tensors) {
        return tensors.stream().mapToLong(MemorySegment::byteSize).sum() / Float.BYTES;
    }
}
