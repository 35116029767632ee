package dev.equipoise.agent.channel;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * One rank's place in a run.
 *
 * @param generation grows each time the run is placed anew and fences every frame
 */
public record RunGroup(UUID run, int generation, int rank, int size, RunKey key) {

    /** Keeps a name from being a proof of the handshake. */
    private static final byte STREAM = 3;

    public RunGroup {
        if (generation < 0) {
            throw new IllegalArgumentException(
                    "the generation must not be negative, but was " + generation);
        }
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "the rank must be in 0..%d, but was %d".formatted(size - 1, rank));
        }
    }

    /**
     * Names the stream of bytes from one rank to another, in a way that nobody can guess who does
     * not hold the key.
     */
    public UUID stream(int from, int to) {
        ByteBuffer place =
                ByteBuffer.allocate(2 * Long.BYTES + 3 * Integer.BYTES)
                        .putLong(run.getMostSignificantBits())
                        .putLong(run.getLeastSignificantBits())
                        .putInt(generation)
                        .putInt(from)
                        .putInt(to)
                        .flip();
        ByteBuffer name = ByteBuffer.wrap(key.sign(STREAM, place));
        return new UUID(name.getLong(), name.getLong());
    }

    /** Names the rank in messages. */
    String describe() {
        return "rank %d of run %s, generation %d".formatted(rank, run, generation);
    }
}
