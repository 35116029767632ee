package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Sums the vectors of all ranks in a copy, so that a rank that loses a peer meanwhile still has its
 * own vector.
 */
final class TestingSum {

    private final AllReduce allReduce;
    private final MemorySegment sum;

    /**
     * Allocates the copy.
     *
     * @param allReduce must accept vectors of {@code elements}
     */
    TestingSum(AllReduce allReduce, long elements, Arena memory) {
        this.allReduce = allReduce;
        this.sum = memory.allocate(JAVA_FLOAT, elements);
    }

    /**
     * Returns the sum over all ranks.
     *
     * @return a view that the next call overwrites
     */
    MemorySegment of(MemorySegment vector) {
        if (vector.byteSize() != sum.byteSize()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(sum.byteSize(), vector.byteSize()));
        }
        sum.copyFrom(vector);
        allReduce.sum(sum);
        return sum;
    }
}
