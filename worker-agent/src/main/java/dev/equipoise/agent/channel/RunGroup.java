package dev.equipoise.agent.channel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * One rank's place in a run.
 *
 * @param generation grows each time the run is placed anew and fences every frame
 */
public record RunGroup(UUID run, int generation, int rank, int size, RunKey key) {

    /** Labels keep a name from being a proof, and one proof from being another. */
    private static final byte STREAM = 3;

    private static final byte DOOR = 4;
    private static final byte ANSWER = 5;

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
        return name(STREAM, from, to);
    }

    /**
     * Names the stream to whoever may be its end, without saying how it is called: only who answers
     * {@linkplain #answer as it should} is told.
     */
    public UUID door(int from, int to) {
        return name(DOOR, from, to);
    }

    /**
     * What the end of a stream answers who asks at its door.
     *
     * @param nonce of who asks, so that no older answer will do
     * @param address of who answers, so that nobody can pass on another one's answer
     */
    public byte[] answer(int from, int to, UUID nonce, String address) {
        ByteBuffer asked =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(nonce.getMostSignificantBits())
                        .putLong(nonce.getLeastSignificantBits())
                        .flip();
        ByteBuffer where = ByteBuffer.wrap(address.getBytes(StandardCharsets.UTF_8));
        return key.sign(ANSWER, place(from, to), asked, where);
    }

    private UUID name(byte label, int from, int to) {
        ByteBuffer name = ByteBuffer.wrap(key.sign(label, place(from, to)));
        return new UUID(name.getLong(), name.getLong());
    }

    private ByteBuffer place(int from, int to) {
        return ByteBuffer.allocate(2 * Long.BYTES + 3 * Integer.BYTES)
                .putLong(run.getMostSignificantBits())
                .putLong(run.getLeastSignificantBits())
                .putInt(generation)
                .putInt(from)
                .putInt(to)
                .flip();
    }

    /** Names the rank in messages. */
    String describe() {
        return "rank %d of run %s, generation %d".formatted(rank, run, generation);
    }
}
