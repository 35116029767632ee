package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/**
 * Adds one float32 vector to another. Both implementations give the same bits; the one on the
 * Vector API is available only if the virtual machine was started with its module.
 */
public interface FloatSum {

    /** Returns the fastest implementation that this virtual machine can run; for one thread. */
    static FloatSum fastest() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                ? new VectorFloatSum()
                : new ScalarFloatSum();
    }

    /**
     * Adds a range of one vector to a range of another. Offsets and length are in bytes; the ranges
     * must not overlap.
     */
    void add(MemorySegment target, long at, MemorySegment addend, long from, long bytes);
}
