package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Computes the mean of the vectors of all ranks, weighted by their numbers of samples. The weight
 * is sent as one more element behind the vector, so that one all-reduce is enough. Only a copy is
 * changed, so that a rank that loses a peer meanwhile still has its own vector.
 */
public final class WeightedMean {

    private final AllReduce allReduce;
    private final long elements;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment weighted;
    private final MemorySegment mean;

    /**
     * Allocates the copy.
     *
     * @param allReduce must accept vectors with one element more than {@code elements}
     */
    public WeightedMean(AllReduce allReduce, long elements, Arena memory) {
        this.allReduce = allReduce;
        this.elements = elements;
        this.weighted = memory.allocate(JAVA_FLOAT, elements + 1);
        this.mean = weighted.asSlice(0, elements * Float.BYTES);
    }

    /**
     * Returns the mean over all ranks, or zero if all weights are zero. A vector of weight zero is
     * not read, so its contents do not matter.
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
