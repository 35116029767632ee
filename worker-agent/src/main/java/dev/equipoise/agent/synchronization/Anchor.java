package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import java.lang.foreign.MemorySegment;

/** The weights after the last agreement, from which a replica goes its own way. */
final class Anchor {

    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment weights;
    private final MemorySegment update;

    /**
     * @param weights memory of its own, which already holds the first weights
     * @param update what it computes in, as long
     */
    Anchor(MemorySegment weights, MemorySegment update) {
        this.weights = weights;
        this.update = update;
    }

    MemorySegment weights() {
        return weights;
    }

    /** From here to there; a view that the next call overwrites. */
    MemorySegment updateTo(MemorySegment there) {
        scale.scale(weights, -1, update);
        sum.add(update, 0, there, 0, there.byteSize());
        return update;
    }

    void moveTo(MemorySegment there) {
        weights.copyFrom(there);
    }
}
