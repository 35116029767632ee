package dev.equipoise.agent.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What stands in the header of a message, a plain frame of 24 bytes, little-endian: the kind (4
 * bytes), the shard (4), the version (8) and the bytes of the values that follow in {@link
 * dev.equipoise.agent.collective.Slices} (8).
 *
 * @param version that was read of a {@code PUSH}, that was made of an {@code APPLIED}, of the
 *     values of a {@code VALUES}; 0 of the others
 * @param bytes of the values of a {@code PUSH} or {@code VALUES}; 0 of the others
 */
record Message(Kind kind, int shard, long version, long bytes) {

    static final int BYTES = 24;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** What one side wants of the other. */
    enum Kind {
        /** A worker asks for the values of a shard. */
        PULL(1),
        /** A worker brings the gradient of a shard. */
        PUSH(2),
        /** A server brings the values of a shard. */
        VALUES(3),
        /** A server has applied a gradient. */
        APPLIED(4),
        /** A worker will say nothing more. */
        LEAVE(5);

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
                memory.get(LONG, offset + 16));
    }

    void write(MemorySegment memory, long offset) {
        memory.set(INT, offset, kind.number);
        memory.set(INT, offset + 4, shard);
        memory.set(LONG, offset + 8, version);
        memory.set(LONG, offset + 16, bytes);
    }

    /** Refuses what does not answer a question, or is not as long as its shard. */
    Message requireAnswer(Kind expected, Shard expectedShard, long expectedBytes) {
        if (kind != expected || shard != expectedShard.index() || bytes != expectedBytes) {
            throw new MessageRefused(
                    "the message must be %s of shard %d with %d bytes, but was %s"
                            .formatted(expected, expectedShard.index(), expectedBytes, this));
        }
        return this;
    }
}
