package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import java.lang.foreign.MemorySegment;

/** Weights after the last synchronization, from which a replica computes its update. */
final class Anchor {

    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment weights;
    private final MemorySegment update;

    /**
     * @param weights memory of its own with the initial weights
     * @param update memory of the same length
     */
    Anchor(MemorySegment weights, MemorySegment update) {
        this.weights = weights;
        this.update = update;
    }

    MemorySegment weights() {
        return weights;
    }

    /** Returns the update to other weights; the next call overwrites it. */
    MemorySegment updateTo(MemorySegment newWeights) {
        scale.scale(weights, -1, update);
        sum.add(update, 0, newWeights, 0, newWeights.byteSize());
        return update;
    }

    void moveTo(MemorySegment newWeights) {
        weights.copyFrom(newWeights);
    }
}
