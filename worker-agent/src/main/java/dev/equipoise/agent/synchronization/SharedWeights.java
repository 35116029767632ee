package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Weights that two threads of a rank change, of which each change is made as a whole. */
final class SharedWeights {

    private final Lock lock = new ReentrantLock();
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment weights;

    /** Guarded by the lock, as the weights are. */
    private long version;

    SharedWeights(MemorySegment weights) {
        this.weights = weights;
    }

    /** The version that the copy is of. */
    long copyTo(MemorySegment copy) {
        lock.lock();
        try {
            copy.copyFrom(weights);
            return version;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a change of the weights.
     *
     * @return the version that it has met
     */
    long change(Runnable change) {
        lock.lock();
        try {
            change.run();
            return version++;
        } finally {
            lock.unlock();
        }
    }

    /** Both become their mean. */
    void average(MemorySegment other) {
        change(() -> {
            sum.add(other, 0, weights, 0, weights.byteSize());
            scale.scale(other, 0.5f, other);
            weights.copyFrom(other);
        });
    }

    /**
     * Goes as far as from one point to another, from wherever the weights are by now.
     *
     * @param from is overwritten
     */
    void move(MemorySegment from, MemorySegment to) {
        scale.scale(from, -1, from);
        sum.add(from, 0, to, 0, to.byteSize());
        change(() -> sum.add(weights, 0, from, 0, from.byteSize()));
    }
}
