package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The payload that follows a message, in {@link dev.equipoise.agent.collective.PipelineSegments}.
 *
 * @param codec 0 for plain float32 values, else the number of the codec that decodes it
 * @param flags defined by the codec
 * @param elements of the decoded vector; 0 without a codec
 * @param bytes number of bytes sent
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

    /** Returns whether this payload can belong to a shard. */
    boolean fits(Shard shard, @Nullable Codec expected) {
        if (expected == null) {
            return equals(plain(shard.bytes()));
        }
        return codec == expected.id()
                && elements == shard.elements()
                && bytes >= 0
                && bytes <= expected.largestPayload(elements);
    }

    /** The received frame. */
    Frame frame(MemorySegment buffer) {
        return new Frame(codec, flags, elements, buffer.asSlice(0, bytes));
    }
}
