package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The state of error feedback between rounds. A copy of it suffices to continue on any host.
 *
 * @param round number of the next round, from 0; equal on all ranks, since random-k and sampled
 *     rows derive from it the choices that all ranks share
 * @param vector native float32: the error not sent so far
 */
public record Residual(long round, MemorySegment vector) {

    public Residual {
        if (round < 0) {
            throw new IllegalArgumentException("the round must be at least 0, but was " + round);
        }
    }

    /**
     * Returns the residual before the first round of a run; its vector lives as long as the arena.
     */
    public static Residual zero(int elements, Arena arena) {
        return zero(0, elements, arena);
    }

    /**
     * Returns the zero residual of a rank that joins later.
     *
     * @param round the next round of its peers
     * @param arena of the vector, which lives as long
     * @throws IllegalArgumentException if the round is below 0
     */
    public static Residual zero(long round, int elements, Arena arena) {
        return new Residual(round, arena.allocate(JAVA_FLOAT, elements));
    }

    /** Returns a copy with its own vector, which later rounds do not change. */
    public Residual copy(Arena arena) {
        return new Residual(round, arena.allocate(vector.byteSize(), Float.BYTES).copyFrom(vector));
    }

    /**
     * Returns the same memory with another round number, after the caller has written a residual
     * there.
     */
    public Residual at(long other) {
        return new Residual(other, vector);
    }

    /** Returns the residual after one more round, which has overwritten the vector. */
    Residual next() {
        return new Residual(round + 1, vector);
    }
}
