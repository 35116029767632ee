package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The state of {@link PowerSgd} between rounds. A copy of it suffices to continue on any host.
 *
 * <p>A rank that joins later needs the round and the right factors of a peer, bit by bit, and a
 * residual of zeros; its parts, rank and seed are equal to those of its peers from the start.
 *
 * @param round number of the next round, from 0; equal on all ranks
 * @param residual native float32, as long as the gradient: the error not sent so far
 * @param right native float32, the right factors of all matrices; equal on all ranks
 */
public record PowerSgdState(long round, MemorySegment residual, MemorySegment right) {

    /** Returns a copy with its own vectors, which later rounds do not change. */
    public PowerSgdState copy(Arena arena) {
        return new PowerSgdState(round, copy(arena, residual), copy(arena, right));
    }

    private static MemorySegment copy(Arena arena, MemorySegment vector) {
        return arena.allocate(vector.byteSize(), JAVA_FLOAT.byteAlignment()).copyFrom(vector);
    }

    /** Returns the same memory with another round number. */
    public PowerSgdState at(long other) {
        return new PowerSgdState(other, residual, right);
    }

    /** Returns the state after one more round, which has overwritten the vectors. */
    PowerSgdState next() {
        return new PowerSgdState(round + 1, residual, right);
    }
}
