package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.order.OrderedLock;
import java.lang.foreign.MemorySegment;

/**
 * Weights that two threads of a rank change. Each change is atomic, in the execution order of the
 * threads.
 */
final class SharedWeights {

    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment weights;

    private final OrderedLock lock;

    /** Number of changes; guarded by the lock, like the weights. */
    private long version;

    SharedWeights(MemorySegment weights, OrderedLock lock) {
        this.weights = weights;
        this.lock = lock;
    }

    /** Copies the weights, and returns their version. */
    long copyTo(MemorySegment copy, ChoiceSource decisions) {
        lock.enter(decisions);
        try {
            copy.copyFrom(weights);
            return version;
        } finally {
            lock.leave();
        }
    }

    /**
     * Changes the weights.
     *
     * @return version before the change
     */
    long change(Runnable change, ChoiceSource decisions) {
        lock.enter(decisions);
        try {
            change.run();
            return version++;
        } finally {
            lock.leave();
        }
    }

    /** Replaces both vectors with their mean. */
    void average(MemorySegment other, ChoiceSource decisions) {
        change(
                () -> {
                    sum.add(other, 0, weights, 0, weights.byteSize());
                    scale.scale(other, 0.5f, other);
                    weights.copyFrom(other);
                },
                decisions);
    }

    /**
     * Moves the weights by the difference of two vectors, from their current values.
     *
     * @param from overwritten
     */
    void move(MemorySegment from, MemorySegment to, ChoiceSource decisions) {
        scale.scale(from, -1, from);
        sum.add(from, 0, to, 0, to.byteSize());
        change(() -> sum.add(weights, 0, from, 0, from.byteSize()), decisions);
    }
}
