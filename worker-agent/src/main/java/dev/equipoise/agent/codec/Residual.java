package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * All that error feedback remembers: whoever takes a copy of it can go on from there, anywhere.
 *
 * @param round the next one, from 0; the same on all ranks, since random-k and sampled rows draw by
 *     it what all ranks choose alike
 * @param vector native float32: what has been left out so far
 */
public record Residual(long round, MemorySegment vector) {

    /** Refuses a round below 0. */
    public Residual {
        if (round < 0) {
            throw new IllegalArgumentException("the round must be at least 0, but was " + round);
        }
    }

    /** Before the first round of a run; the vector lives as long as the arena. */
    public static Residual zero(int elements, Arena arena) {
        return zero(0, elements, arena);
    }

    /**
     * Nothing has been left out yet by a rank that joins later.
     *
     * @param round the next one of its peers
     * @param arena as long as which the vector lives
     * @throws IllegalArgumentException if the round is below 0
     */
    public static Residual zero(long round, int elements, Arena arena) {
        return new Residual(round, arena.allocate(JAVA_FLOAT, elements));
    }

    /** With a vector of its own, which later rounds leave alone. */
    public Residual copy(Arena arena) {
        return new Residual(round, arena.allocate(vector.byteSize(), Float.BYTES).copyFrom(vector));
    }

    /** The same memory, of another round: whoever goes on has written there what is left out. */
    public Residual at(long other) {
        return new Residual(other, vector);
    }

    /** After one more round, which has overwritten the vector. */
    Residual next() {
        return new Residual(round + 1, vector);
    }
}
