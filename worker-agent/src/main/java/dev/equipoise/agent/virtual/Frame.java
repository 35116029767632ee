package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Content;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A frame and the room for it, whichever comes first; as an event, the frame's first byte at the
 * receiver. Flows use frames again.
 */
final class Frame extends Event {

    final Flow flow;

    MemorySegment room = MemorySegment.NULL;
    long roomOffset;
    long roomBytes;
    boolean exact;
    long postedAt;

    Content content = Content.PLAIN;
    long bytes;
    long portNanos;

    /** The frame's bytes while they are not in the room. */
    @Nullable MemorySegment buffer;

    /** When the last byte is there, and the how-manieth frame of its receiver it is. */
    long arrivedAt;

    long arrival;

    Frame(Flow flow) {
        this.flow = flow;
    }

    boolean fits() {
        return exact ? content.isPlain() && bytes == roomBytes : bytes <= roomBytes;
    }

    /** When both the room and the frame were there. */
    long filledAt() {
        return Math.max(postedAt, arrivedAt);
    }

    boolean isFilledBefore(Frame other) {
        return filledAt() == other.filledAt()
                ? arrival < other.arrival
                : filledAt() < other.filledAt();
    }

    /** In words, why it does not fit. */
    String misfit() {
        return "the frame's payload length must be %s%d, but was %d, of codec %d"
                .formatted(exact ? "" : "at most ", roomBytes, bytes, content.codec());
    }
}
