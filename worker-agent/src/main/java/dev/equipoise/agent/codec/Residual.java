package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * All that error feedback remembers: whoever takes a copy of it can go on from there, anywhere.
 *
 * @param round the next one, from 0
 * @param vector native float32: what has been left out so far
 */
public record Residual(long round, MemorySegment vector) {

    /** Refuses a round below 0. */
    public Residual {
        if (round < 0) {
            throw new IllegalArgumentException("the round must be at least 0, but was " + round);
        }
    }

    /** Nothing has been left out yet; the vector lives as long as the arena. */
    public static Residual zero(int elements, Arena arena) {
        return new Residual(0, arena.allocate(JAVA_FLOAT, elements));
    }

    /** With a vector of its own, which later rounds leave alone. */
    public Residual copy(Arena arena) {
        return new Residual(round, arena.allocate(vector.byteSize(), Float.BYTES).copyFrom(vector));
    }

    /** After one more round, which has overwritten the vector. */
    Residual next() {
        return new Residual(round + 1, vector);
    }
}
