package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The mean of the ranks' vectors, weighted by how many samples stand behind each. The weight
 * travels in one more element behind the vector, so that one all-reduce is enough. Nothing but a
 * copy is touched: whoever loses a rank on the way still has its own vector.
 */
public final class WeightedMean {

    private final AllReduce allReduce;
    private final long elements;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment weighted;
    private final MemorySegment mean;

    /** Sets the memory for the copy aside; the all-reduce must take one element more. */
    public WeightedMean(AllReduce allReduce, long elements, Arena memory) {
        this.allReduce = allReduce;
        this.elements = elements;
        this.weighted = memory.allocate(JAVA_FLOAT, elements + 1);
        this.mean = weighted.asSlice(0, elements * Float.BYTES);
    }

    /**
     * Returns the mean over all ranks, zero when all weights are zero. A vector of weight zero is
     * not read, so it may hold anything.
     *
     * @return a view that the next call overwrites
     */
    public MemorySegment of(MemorySegment vector, float weight) {
        requireValid(vector, weight);
        if (weight == 0) {
            mean.fill((byte) 0);
        } else {
            scale.scale(vector, weight, mean);
        }
        weighted.setAtIndex(JAVA_FLOAT, elements, weight);
        allReduce.sum(weighted);
        divide(weighted.getAtIndex(JAVA_FLOAT, elements));
        return mean;
    }

    private void divide(float totalWeight) {
        if (totalWeight > 0) {
            scale.scale(mean, 1 / totalWeight, mean);
        }
    }

    private void requireValid(MemorySegment vector, float weight) {
        if (vector.byteSize() != mean.byteSize()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(mean.byteSize(), vector.byteSize()));
        }
        if (!(weight >= 0) || Float.isInfinite(weight)) {
            throw new IllegalArgumentException(
                    "the weight must be finite and not negative, but was " + weight);
        }
    }
}
