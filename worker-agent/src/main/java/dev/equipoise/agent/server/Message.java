package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The header of a message between replica and server: a plain frame of 40 bytes, little-endian,
 * with the kind (4 bytes), the shard (4), the version (8), the number (8), and of the payload its
 * bytes (8), elements (4), codec (1) and flags (1), then 2 zero bytes.
 *
 * @param version the version read, in {@code PUSH}; the samples of the epoch that the server had
 *     received before, in {@code APPLIED}; the version of the values, in {@code VALUES}; else 0
 * @param number the round of the {@link dev.equipoise.agent.codec.CodecRandom}, in a coded {@code
 *     PUSH}; the staleness, in {@code APPLIED}; the number of barriers so far, in {@code PULL} and
 *     {@code VALUES}; else 0
 */
record Message(Kind kind, int shard, long version, long number, Payload payload) {

    static final int BYTES = 40;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** The kind of a message. */
    enum Kind {
        /** A replica requests the values of a shard. */
        PULL(1),
        /** A replica sends the gradient of a shard. */
        PUSH(2),
        /** A server sends the values of a shard. */
        VALUES(3),
        /** A server has applied or dropped a gradient, or has counted a round without one. */
        APPLIED(4),
        /** A replica pauses: it sends nothing until the server serves again. */
        PAUSE(5),
        /** A replica has completed a round without samples, and so without a gradient. */
        SKIP(6);

        private static final Kind[] ALL = values();

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        static Kind of(int number) {
            for (Kind kind : ALL) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw new MessageRefused("message kind " + number + " is unknown");
        }
    }

    static Message read(MemorySegment memory, long offset) {
        return new Message(
                Kind.of(memory.get(INT, offset)),
                memory.get(INT, offset + 4),
                memory.get(LONG, offset + 8),
                memory.get(LONG, offset + 16),
                new Payload(
                        Byte.toUnsignedInt(memory.get(BYTE, offset + 36)),
                        Byte.toUnsignedInt(memory.get(BYTE, offset + 37)),
                        memory.get(INT, offset + 32),
                        memory.get(LONG, offset + 24)));
    }

    void write(MemorySegment memory, long offset) {
        memory.set(INT, offset, kind.number);
        memory.set(INT, offset + 4, shard);
        memory.set(LONG, offset + 8, version);
        memory.set(LONG, offset + 16, number);
        memory.set(LONG, offset + 24, payload.bytes());
        memory.set(INT, offset + 32, payload.elements());
        memory.set(INT, offset + 36, payload.codec() | payload.flags() << Byte.SIZE);
    }

    /** Checks that this message answers a push to the shard, or a skipped round. */
    Message requireApplied(Shard expected) {
        return require(Kind.APPLIED, expected, payload.equals(Payload.NONE));
    }

    /** Checks that this message answers a pull of the shard and that its payload fits the shard. */
    Message requireValues(Shard expected, @Nullable Codec codec) {
        return require(Kind.VALUES, expected, payload.fits(expected, codec));
    }

    private Message require(Kind expectedKind, Shard expectedShard, boolean fits) {
        if (kind != expectedKind || shard != expectedShard.index() || !fits) {
            throw new MessageRefused(
                    "the answer must be %s of %s, but was %s"
                            .formatted(expectedKind, expectedShard, this));
        }
        return this;
    }
}
