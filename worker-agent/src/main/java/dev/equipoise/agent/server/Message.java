package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the header of a message, a plain frame of 40 bytes, little-endian: the kind (4
 * bytes), the shard (4), the version (8), the number (8), and of the payload its bytes (8), its
 * elements (4), its codec (1) and flags (1), then 2 that are zero.
 *
 * @param version that was read of a {@code PUSH} and its {@code APPLIED}, of the values of a {@code
 *     VALUES}; 0 of the others
 * @param number the round of the {@link dev.equipoise.agent.codec.Chance} of a coded {@code PUSH};
 *     the staleness of an {@code APPLIED}; how many barriers there have been of a {@code PULL} and
 *     {@code VALUES}; 0 of the others
 */
record Message(Kind kind, int shard, long version, long number, Payload payload) {

    static final int BYTES = 40;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** What one side wants of the other. */
    enum Kind {
        /** A worker asks for the values of a shard. */
        PULL(1),
        /** A worker brings the gradient of a shard. */
        PUSH(2),
        /** A server brings the values of a shard. */
        VALUES(3),
        /** A server has taken a gradient. */
        APPLIED(4),
        /** A worker will say nothing more before it is served again. */
        PAUSE(5);

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
            throw new MessageRefused("there is no message of kind " + number);
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

    /** Refuses what does not answer a push. */
    Message requireApplied(Shard expected) {
        return require(Kind.APPLIED, expected, payload.equals(Payload.NONE));
    }

    /** Refuses what does not answer a pull, or cannot be as long as its shard. */
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
