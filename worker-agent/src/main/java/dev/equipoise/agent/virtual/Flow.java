package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.LinkLimits;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.MemorySegment;

/*
 * A frame occupies the sender's port for bytes times beta, reaches the receiver's port alpha after
 * it has begun to leave, occupies that port for as long again, and may leave before it has arrived
 * as a whole (cut-through): alone it takes alpha + beta m. Limits are a bottleneck between the two,
 * with its own queue. Frames wait for the receiver's port in the order in which they reach it,
 * which is known only when no rank can send earlier ones anymore; hence the arrival is an event.
 */
/** The frames of one rank to another and their receive buffers; frame n fills buffer n. */
final class Flow {

    private static final int INITIAL_CAPACITY = 4;
    private static final double NANOS_PER_SECOND = 1e9;

    private final VirtualChannel sender;
    private final VirtualChannel receiver;
    private final LinkSpeed speed;
    private final Port egress;
    private final Buffers buffers;
    private Frame[] frames = filled(new Frame[INITIAL_CAPACITY]);
    private LinkLimits limits = LinkLimits.NONE;
    private long bottleneckFreeAt;
    private long sentAt;
    private long sent;
    private long posted;
    private long arrived;
    private long taken;

    Flow(
            VirtualChannel sender,
            VirtualChannel receiver,
            LinkSpeed speed,
            Port egress,
            Buffers buffers) {
        this.sender = sender;
        this.receiver = receiver;
        this.speed = speed;
        this.egress = egress;
        this.buffers = buffers;
    }

    VirtualChannel receiver() {
        return receiver;
    }

    int from() {
        return sender.rank();
    }

    void limit(LinkLimits newLimits) {
        limits = newLimits;
    }

    /**
     * Copies the frame and computes when it reaches the receiver.
     *
     * @param number of the frame among all frames of its sender
     */
    Frame send(
            long now,
            long number,
            PayloadType content,
            MemorySegment memory,
            long offset,
            long bytes) {
        Frame frame = frame(sent++);
        frame.content = content;
        frame.bytes = bytes;
        frame.rank = from();
        frame.number = number;
        frame.sentAt = now;
        frame.portNanos = speed.portNanos(FrameHeader.BYTES + bytes);
        frame.at = leave(now, frame) + speed.latencyNanos();
        copy(frame, memory, offset);
        return frame;
    }

    /** Returns when the first byte has left the sender's port and the limits. */
    private long leave(long now, Frame frame) {
        long begin = egress.occupy(now, frame.portNanos) - frame.portNanos;
        double seconds = (FrameHeader.BYTES + frame.bytes) / limits.bytesPerSecond();
        bottleneckFreeAt =
                Math.max(bottleneckFreeAt, begin) + Math.round(seconds * NANOS_PER_SECOND);
        long left = bottleneckFreeAt + limits.delay().toNanos();
        sentAt = left + frame.portNanos;
        return left;
    }

    private void copy(Frame frame, MemorySegment memory, long offset) {
        if (posted >= sent && frame.fits()) {
            MemorySegment.copy(memory, offset, frame.target, frame.targetOffset, frame.bytes);
        } else if (frame.bytes > 0) {
            frame.buffer = buffers.take(frame.bytes);
            MemorySegment.copy(memory, offset, frame.buffer, 0, frame.bytes);
        }
    }

    void post(long now, MemorySegment memory, long offset, long bytes, boolean exact) {
        Frame frame = frame(posted++);
        frame.target = memory;
        frame.targetOffset = offset;
        frame.targetBytes = bytes;
        frame.exact = exact;
        frame.postedAt = now;
        if (frame.buffer != null && frame.fits()) {
            MemorySegment.copy(frame.buffer, 0, memory, offset, frame.bytes);
            release(frame);
        }
    }

    /** Handles the arrival of the oldest frame that has not arrived yet. */
    void arrive(Frame frame, Port ingress, long arrival) {
        frame.arrivedAt = ingress.occupy(frame.at, frame.portNanos);
        frame.arrival = arrival;
        arrived++;
    }

    /** The time from which the memory of all sent frames may be changed. */
    long sentAt() {
        return sentAt;
    }

    long frameOut() {
        return Math.max(1, sent);
    }

    long frameIn() {
        return taken + 1;
    }

    boolean isAwaited() {
        return taken < posted;
    }

    boolean hasArrived() {
        return taken < arrived;
    }

    /** Returns whether the oldest receive buffer that is not awaited yet has its frame. */
    boolean isFilled() {
        return isAwaited() && hasArrived();
    }

    boolean isFilledBefore(Flow other) {
        return oldest().isFilledBefore(other.oldest());
    }

    /**
     * Returns whether the sender is closed and all its frames are taken; frames sent before it
     * closed still arrive.
     */
    boolean isLost() {
        return taken == sent && sender.isClosed();
    }

    /** The time at which the sender was closed, if it is. */
    long closedAt() {
        return sender.closedAt();
    }

    /** Number of frames that the receiver has not taken. */
    long untaken() {
        return sent - taken;
    }

    /** The oldest frame that is not taken. */
    Frame oldest() {
        return frame(taken);
    }

    /** Takes the oldest frame, after it was read. */
    void take() {
        release(oldest());
        oldest().target = MemorySegment.NULL;
        taken++;
    }

    private void release(Frame frame) {
        if (frame.buffer != null) {
            buffers.giveBack(frame.buffer);
            frame.buffer = null;
        }
    }

    private Frame frame(long index) {
        if (index - taken == frames.length) {
            grow();
        }
        return frames[(int) (index & (frames.length - 1))];
    }

    /** Moves each frame to the index where the longer array expects it. */
    private void grow() {
        Frame[] larger = filled(new Frame[2 * frames.length]);
        for (long index = taken; index < taken + frames.length; index++) {
            larger[(int) (index & (larger.length - 1))] =
                    frames[(int) (index & (frames.length - 1))];
        }
        frames = larger;
    }

    private Frame[] filled(Frame[] empty) {
        for (int i = 0; i < empty.length; i++) {
            empty[i] = new Frame(this);
        }
        return empty;
    }

    @Override
    public String toString() {
        return "frame %d of rank %d".formatted(frameIn(), from());
    }
}
