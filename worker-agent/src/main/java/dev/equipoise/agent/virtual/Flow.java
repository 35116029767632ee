package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.LinkLimits;
import java.lang.foreign.MemorySegment;

/*
 * A frame has the sender's port for bytes times beta, reaches the receiver's port alpha after it
 * has begun to leave, has that for as long again, and may go through before it has come as a whole
 * (cut-through): alone it takes alpha + beta m. Limits are a bottleneck of the link's own between
 * the two, with a queue of its own. Frames wait for the receiver's port in the order in which they
 * reach it, which is known only when nobody can send earlier ones any more; hence that is an event.
 */
/** The frames of one rank to another and the rooms for them; the n-th frame fills the n-th room. */
final class Flow {

    private static final int FIRST_ROOM = 4;
    private static final double NANOS = 1e9;

    private final VirtualChannel sender;
    private final VirtualChannel receiver;
    private final LinkSpeed speed;
    private final Port egress;
    private final Buffers buffers;
    private Frame[] frames = filled(new Frame[FIRST_ROOM]);
    private LinkLimits limits = LinkLimits.NONE;
    private long throughLimitsAt;
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
     * Copies the frame and says when it will reach the receiver.
     *
     * @param number of the frame among all of its sender
     */
    Frame send(
            long now, long number, Content content, MemorySegment memory, long offset, long bytes) {
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

    /** When the first byte is out of the sender's port and of the limits. */
    private long leave(long now, Frame frame) {
        long begun = egress.occupy(now, frame.portNanos) - frame.portNanos;
        double seconds = (FrameHeader.BYTES + frame.bytes) / limits.bytesPerSecond();
        throughLimitsAt = Math.max(throughLimitsAt, begun) + Math.round(seconds * NANOS);
        long left = throughLimitsAt + limits.delay().toNanos();
        sentAt = left + frame.portNanos;
        return left;
    }

    private void copy(Frame frame, MemorySegment memory, long offset) {
        if (posted >= sent && frame.fits()) {
            MemorySegment.copy(memory, offset, frame.room, frame.roomOffset, frame.bytes);
        } else if (frame.bytes > 0) {
            frame.buffer = buffers.take(frame.bytes);
            MemorySegment.copy(memory, offset, frame.buffer, 0, frame.bytes);
        }
    }

    void post(long now, MemorySegment memory, long offset, long bytes, boolean exact) {
        Frame frame = frame(posted++);
        frame.room = memory;
        frame.roomOffset = offset;
        frame.roomBytes = bytes;
        frame.exact = exact;
        frame.postedAt = now;
        if (frame.buffer != null && frame.fits()) {
            MemorySegment.copy(frame.buffer, 0, memory, offset, frame.bytes);
            release(frame);
        }
    }

    /** The oldest frame that has not arrived reaches the receiver. */
    void arrive(Frame frame, Port ingress, long arrival) {
        frame.arrivedAt = ingress.occupy(frame.at, frame.portNanos);
        frame.arrival = arrival;
        arrived++;
    }

    /** When all that was sent may be changed. */
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

    /** Whether the oldest room that is not awaited yet has its frame. */
    boolean isFilled() {
        return isAwaited() && hasArrived();
    }

    boolean isFilledBefore(Flow other) {
        return oldest().isFilledBefore(other.oldest());
    }

    /** Frames that were sent before the sender closed still come. */
    boolean isLost() {
        return taken == sent && sender.isClosed();
    }

    /** When the sender was closed, if it is. */
    long closedAt() {
        return sender.closedAt();
    }

    /** How many frames the receiver has not taken. */
    long untaken() {
        return sent - taken;
    }

    /** That was neither taken before nor is for a later room. */
    Frame oldest() {
        return frame(taken);
    }

    /** After the oldest has been looked at. */
    void take() {
        release(oldest());
        oldest().room = MemorySegment.NULL;
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

    /** Each frame to where the longer array will look for it. */
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
