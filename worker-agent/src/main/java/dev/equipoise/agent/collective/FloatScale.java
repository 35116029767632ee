package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/**
 * Multiplies a float32 vector by a number. Both implementations give the same bits; the one on the
 * Vector API is available only if the virtual machine was started with its module.
 */
public interface FloatScale {

    /** Returns the fastest implementation that this virtual machine can run; for one thread. */
    static FloatScale fastest() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                ? new VectorFloatScale()
                : new ScalarFloatScale();
    }

    /**
     * Sets {@code target} to {@code factor} times {@code source}. Both have equal lengths, and are
     * the same or do not overlap.
     *
     * @throws IllegalArgumentException if the lengths differ
     */
    void scale(MemorySegment source, float factor, MemorySegment target);
}
