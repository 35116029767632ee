package dev.equipoise.agent.collective;

import java.lang.foreign.MemorySegment;

/**
 * Adds one float32 vector to another. Both makes give the same bits; the one on the Vector API is
 * there only if the machine was started with its module.
 */
public interface FloatSum {

    /** The faster make of those that this machine can run; for one thread. */
    static FloatSum fastest() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                ? new VectorFloatSum()
                : new ScalarFloatSum();
    }

    /** Offsets and length in bytes; the two must not overlap. */
    void add(MemorySegment target, long at, MemorySegment addend, long from, long bytes);
}
