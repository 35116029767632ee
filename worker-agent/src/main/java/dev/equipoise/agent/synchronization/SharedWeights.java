package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.order.Turns;
import java.lang.foreign.MemorySegment;

/**
 * Weights that two threads of a rank change, of which each change is made as a whole, in the order
 * on which the threads decide.
 */
final class SharedWeights {

    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment weights;

    private final Turns turns;

    /** Changes in turn, as the weights do. */
    private long version;

    SharedWeights(MemorySegment weights, Turns turns) {
        this.weights = weights;
        this.turns = turns;
    }

    /** The version that the copy is of. */
    long copyTo(MemorySegment copy, Decisions decisions) {
        turns.enter(decisions);
        try {
            copy.copyFrom(weights);
            return version;
        } finally {
            turns.leave();
        }
    }

    /**
     * Makes a change of the weights.
     *
     * @return the version that it has met
     */
    long change(Runnable change, Decisions decisions) {
        turns.enter(decisions);
        try {
            change.run();
            return version++;
        } finally {
            turns.leave();
        }
    }

    /** Both become their mean. */
    void average(MemorySegment other, Decisions decisions) {
        change(
                () -> {
                    sum.add(other, 0, weights, 0, weights.byteSize());
                    scale.scale(other, 0.5f, other);
                    weights.copyFrom(other);
                },
                decisions);
    }

    /**
     * Goes as far as from one point to another, from wherever the weights are by now.
     *
     * @param from is overwritten
     */
    void move(MemorySegment from, MemorySegment to, Decisions decisions) {
        scale.scale(from, -1, from);
        sum.add(from, 0, to, 0, to.byteSize());
        change(() -> sum.add(weights, 0, from, 0, from.byteSize()), decisions);
    }
}
