package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A frame and its receive buffer, in either order of arrival; as an event, the arrival of the first
 * byte at the receiver. Flows reuse frames.
 */
final class Frame extends Event {

    final Flow flow;

    MemorySegment target = MemorySegment.NULL;
    long targetOffset;
    long targetBytes;
    boolean exact;
    long postedAt;

    PayloadType content = PayloadType.PLAIN;
    long bytes;
    long portNanos;

    /** Holds the frame until its receive buffer is posted. */
    @Nullable MemorySegment buffer;

    /** The time at which the last byte has arrived. */
    long arrivedAt;

    /** The number of the frame among all arrivals at its receiver. */
    long arrival;

    Frame(Flow flow) {
        this.flow = flow;
    }

    boolean fits() {
        return exact ? content.isPlain() && bytes == targetBytes : bytes <= targetBytes;
    }

    /** The time from which both the frame and the receive buffer were present. */
    long filledAt() {
        return Math.max(postedAt, arrivedAt);
    }

    boolean isFilledBefore(Frame other) {
        return filledAt() == other.filledAt()
                ? arrival < other.arrival
                : filledAt() < other.filledAt();
    }

    /** Describes why the frame does not fit. */
    String misfit() {
        return "the frame's payload length must be %s%d, but was %d, of codec %d"
                .formatted(exact ? "" : "at most ", targetBytes, bytes, content.codec());
    }
}
