package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What follows a message, in {@link dev.equipoise.agent.collective.Slices}.
 *
 * @param codec 0 for float32 values as they are, else the number of the one that decodes it
 * @param flags the codec's own
 * @param elements of the decoded vector; 0 without a codec
 * @param bytes that travel
 */
record Payload(int codec, int flags, int elements, long bytes) {

    static final Payload NONE = plain(0);

    static Payload plain(long bytes) {
        return new Payload(0, 0, 0, bytes);
    }

    static Payload of(Frame frame) {
        return new Payload(
                frame.codec(), frame.flags(), frame.elements(), frame.payload().byteSize());
    }

    boolean isCoded() {
        return codec != 0;
    }

    /** Whether this can be a shard, by what is said of it. */
    boolean fits(Shard shard, @Nullable Codec agreed) {
        if (agreed == null) {
            return equals(plain(shard.bytes()));
        }
        return codec == agreed.id()
                && elements == shard.elements()
                && bytes >= 0
                && bytes <= agreed.largestPayload(elements);
    }

    /** The frame that has come. */
    Frame frame(MemorySegment room) {
        return new Frame(codec, flags, elements, room.asSlice(0, bytes));
    }
}
