package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * All that {@link PowerSgd} remembers: whoever takes a copy of it can go on from there, anywhere.
 *
 * <p>A rank that joins later needs the round and the right factors of a peer, bit by bit, and a
 * residual of zeros; its parts, rank and seed are those of its peers from the beginning.
 *
 * @param round the next one, from 0: the same on all ranks
 * @param residual native float32, as long as the gradient: what has been left out so far
 * @param right native float32, the right factors of all matrices: the same on all ranks
 */
public record PowerSgdState(long round, MemorySegment residual, MemorySegment right) {

    /** With vectors of its own, which later rounds leave alone. */
    public PowerSgdState copy(Arena arena) {
        return new PowerSgdState(round, copy(arena, residual), copy(arena, right));
    }

    private static MemorySegment copy(Arena arena, MemorySegment vector) {
        return arena.allocate(vector.byteSize(), JAVA_FLOAT.byteAlignment()).copyFrom(vector);
    }

    /** The same memory, of another round. */
    public PowerSgdState at(long other) {
        return new PowerSgdState(other, residual, right);
    }

    /** After one more round, which has overwritten the vectors. */
    PowerSgdState next() {
        return new PowerSgdState(round + 1, residual, right);
    }
}
