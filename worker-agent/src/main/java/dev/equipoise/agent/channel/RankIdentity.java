package dev.equipoise.agent.channel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Identifies one rank of a run and derives the names and proofs by which its peers recognize it.
 *
 * @param generation grows with each placement of the run and fences every frame
 * @param rank number of the rank, in {@code 0 .. size - 1}
 */
public record RankIdentity(UUID run, int generation, int rank, int size, RunKey key) {

    /**
     * Label of stream names. Distinct labels keep a name from passing as a proof, and one proof
     * from passing as another.
     */
    private static final byte STREAM = 3;

    private static final byte ENDPOINT = 4;
    private static final byte PROOF = 5;

    public RankIdentity {
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
     * Returns the secret name of the byte stream from one rank to another. Only a holder of the run
     * key can compute it.
     */
    public UUID stream(int from, int to) {
        return name(STREAM, from, to);
    }

    /**
     * Returns the public name under which the receiver of a stream can be asked. It does not reveal
     * the {@linkplain #stream name of the stream}; a member learns that name only after it has
     * {@linkplain #answer proven} that it holds the key.
     */
    public UUID publicName(int from, int to) {
        return name(ENDPOINT, from, to);
    }

    /**
     * Returns the proof with which the receiver of a stream answers a request at its {@linkplain
     * #publicName public name}.
     *
     * @param nonce chosen by the requester, so that no older answer can be replayed
     * @param address of the member that answers, so that no other member can forward its answer
     */
    public byte[] answer(int from, int to, UUID nonce, String address) {
        ByteBuffer nonceBytes =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(nonce.getMostSignificantBits())
                        .putLong(nonce.getLeastSignificantBits())
                        .flip();
        ByteBuffer addressBytes = ByteBuffer.wrap(address.getBytes(StandardCharsets.UTF_8));
        return key.sign(PROOF, streamKey(from, to), nonceBytes, addressBytes);
    }

    private UUID name(byte label, int from, int to) {
        ByteBuffer name = ByteBuffer.wrap(key.sign(label, streamKey(from, to)));
        return new UUID(name.getLong(), name.getLong());
    }

    private ByteBuffer streamKey(int from, int to) {
        return ByteBuffer.allocate(2 * Long.BYTES + 3 * Integer.BYTES)
                .putLong(run.getMostSignificantBits())
                .putLong(run.getLeastSignificantBits())
                .putInt(generation)
                .putInt(from)
                .putInt(to)
                .flip();
    }

    /** Describes the rank for messages. */
    String describe() {
        return "rank %d of run %s, generation %d".formatted(rank, run, generation);
    }
}
