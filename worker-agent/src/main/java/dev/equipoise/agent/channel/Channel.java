package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;

/**
 * Joins the ranks of one run. A rank owns its channel: one thread exchanges, any thread may close.
 *
 * <p>Frames are posted first and awaited later, so that a rank can have many under way, to and from
 * several peers. Between two ranks they arrive in the order in which they were sent, and fill rooms
 * in the order in which these were posted. While a thread waits for one frame all others move too.
 *
 * <p>Memory is read and written in place. It must be accessible from any thread, since a peer in
 * the same process copies straight out of it, and should be native: of heap memory only that of
 * byte arrays is taken, and costs a copy on its way to a socket. A frame holds at most 2 GB.
 *
 * <p>A channel that has failed once is closed and stays closed, so that a failure reaches every
 * rank that waits for this one. Every method that waits throws {@link ChannelFailed} when a peer is
 * gone, silent for too long or sends another frame than the one expected, and when this channel is
 * closed; rooms that were posted are then undefined. A channel that {@linkplain #bearLosses bears
 * losses} stays open instead, for those that are left.
 */
public interface Channel extends AutoCloseable {

    /** The place of this rank among {@code 0 .. size - 1}. */
    int rank();

    int size();

    /**
     * From now on a peer that fails is lost, and the others go on: what is sent to it goes nowhere,
     * and waits for it end at once. By the thread that exchanges, before it does.
     */
    default void bearLosses() {
        throw new UnsupportedOperationException("this channel loses all ranks or none");
    }

    /** Whether a peer was lost; for any thread. */
    default boolean isLost(int peer) {
        return false;
    }

    /** Whether any peer was lost; for any thread. */
    default boolean hasLosses() {
        return false;
    }

    /** A peer is gone, as somebody has seen who watches it; for any thread. */
    default void lose(int peer) {
        close();
    }

    /**
     * Posts a frame; its bytes must stay as they are until {@link #awaitSent}. A frame without
     * bytes travels too, so that both sides count the same frames.
     *
     * @throws IndexOutOfBoundsException when the memory does not have these bytes
     */
    void send(int to, Content content, MemorySegment memory, long offset, long bytes);

    /** Posts the room for the next plain frame of a rank, which must fill it. */
    void receive(int from, MemorySegment memory, long offset, long bytes);

    /** Returns when the oldest room that was posted for this rank and not awaited yet is full. */
    void awaitReceived(int from);

    /**
     * As {@link #awaitReceived}, where a peer may have been lost.
     *
     * @return false if it was: no room that was posted for it is filled any more
     */
    default boolean awaitReceivedOrLost(int from) {
        awaitReceived(from);
        return true;
    }

    /**
     * Returns a rank whose oldest room that was posted and not awaited yet is full, so that {@link
     * #awaitReceived} of that rank returns at once, or one that was lost meanwhile. Ranks are
     * looked at in turn, so that none is passed over for long.
     */
    int awaitAny();

    /**
     * Waits for the next frame of a rank, of any content and any length up to that of the room;
     * nothing else may be posted for that rank.
     */
    Received receiveAtMost(int from, MemorySegment room);

    /** Returns when all that was posted to this rank may be changed. */
    void awaitSent(int to);

    /**
     * From now on holds the frames to a rank back, as a slower network would; before anything is
     * posted to it, and by the thread that exchanges.
     */
    void limit(int to, LinkLimits limits);

    /** The bytes of all frames sent so far, headers included. */
    long bytesSent();

    /** All frames sent so far. */
    long framesSent();

    /** The frames of other generations of the run, which were dropped. */
    long staleFrames();

    /** Makes the exchange that is under way, and any later one, fail; may be called twice. */
    @Override
    void close();

    /**
     * Sends {@code out} to one rank while it fills {@code in} from another or the same one. Returns
     * when {@code out} may be changed and {@code in} is complete.
     */
    default void exchange(int to, MemorySegment out, int from, MemorySegment in) {
        receive(from, in, 0, in.byteSize());
        send(to, Content.PLAIN, out, 0, out.byteSize());
        awaitReceived(from);
        awaitSent(to);
    }

    /**
     * A frame that has come.
     *
     * @param bytes of the room that it has filled
     */
    record Received(Content content, long bytes) {}
}
