package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/**
 * Multiplies a float32 vector by a number. Both makes give the same bits; the one on the Vector API
 * is there only if the machine was started with its module.
 */
public interface FloatScale {

    /** The faster make of those that this machine can run; for one thread. */
    static FloatScale fastest() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                ? new VectorFloatScale()
                : new ScalarFloatScale();
    }

    /**
     * Overwrites {@code target} by {@code factor source}; the two are as long, and are the same or
     * do not overlap.
     *
     * @throws IllegalArgumentException if they are not as long
     */
    void scale(MemorySegment source, float factor, MemorySegment target);
}
