package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;

/**
 * Sends frames between the ranks of one run. Each rank has its own channel: one thread exchanges,
 * any thread may close.
 *
 * <p>A rank posts frames (nonblocking) and awaits them later, as with MPI_Isend, so that it can
 * have many under way, to and from several peers. Between two ranks frames arrive in the order in
 * which they were sent, and fill receive buffers in the order in which these were posted. While a
 * thread waits for one frame, all other frames move too.
 *
 * <p>Memory is read and written in place. It must be accessible from any thread, since a peer in
 * the same process copies directly out of it. It should be native: of heap memory only byte arrays
 * are supported, and they cost a copy on the way to a socket. A frame holds at most 2 GB.
 *
 * <p>A channel that has failed once is closed and stays closed, so that a failure reaches every
 * rank that waits for this one. Every method that waits throws {@link ChannelFailed} when a peer is
 * gone, when a peer is silent for too long or sends another frame than the expected one, and when
 * this channel is closed; the contents of posted receive buffers are then undefined. A channel that
 * {@linkplain #tolerateLosses tolerates losses} stays open for the remaining ranks instead.
 */
public interface Channel extends AutoCloseable {

    /** The number of this rank, in {@code 0 .. size - 1}. */
    int rank();

    int size();

    /**
     * Makes the channel tolerate lost peers. From now on, a peer that fails counts as lost while
     * the others go on: frames to it are discarded, and waits for it end at once. The exchanging
     * thread calls this before it exchanges.
     */
    default void tolerateLosses() {
        throw new UnsupportedOperationException(
                "this channel cannot tolerate lost peers: it fails as a whole");
    }

    /** Returns whether a peer was lost. Any thread may call. */
    default boolean isLost(int peer) {
        return false;
    }

    /** Returns whether any peer was lost. Any thread may call. */
    default boolean hasLosses() {
        return false;
    }

    /**
     * Marks a peer as lost, after a failure detector outside the channel has seen it go. Any thread
     * may call.
     */
    default void lose(int peer) {
        close();
    }

    /**
     * Posts a frame; its bytes must not change until {@link #awaitSent} returns. A frame without
     * bytes is sent too, so that both sides count the same frames.
     *
     * @throws IndexOutOfBoundsException when the memory does not have these bytes
     */
    void send(int to, PayloadType content, MemorySegment memory, long offset, long bytes);

    /** Posts the receive buffer of the next plain frame of a rank; the frame must fill it. */
    void receive(int from, MemorySegment memory, long offset, long bytes);

    /**
     * Waits until the oldest receive buffer that was posted for this rank and not awaited yet is
     * full.
     */
    void awaitReceived(int from);

    /**
     * Waits like {@link #awaitReceived} for a frame of a peer that may be lost.
     *
     * @return false if the peer is lost: no receive buffer posted for it is filled anymore
     */
    default boolean awaitReceivedOrLost(int from) {
        awaitReceived(from);
        return true;
    }

    /**
     * Waits for a frame of any rank. Returns a rank whose oldest posted and not yet awaited receive
     * buffer is full, so that {@link #awaitReceived} of that rank returns at once, or a rank that
     * was lost meanwhile. Checks ranks round-robin, so that none starves.
     */
    int awaitAny();

    /**
     * Waits for the next frame of a rank, of any content and of any length up to that of the
     * buffer; no other receive buffer may be posted for that rank.
     */
    Received receiveAtMost(int from, MemorySegment buffer);

    /** Waits until the memory of all frames posted to this rank may be changed. */
    void awaitSent(int to);

    /**
     * Shapes the link to a rank: delays and throttles the frames to it, to emulate a slower
     * network. The exchanging thread calls this before it posts anything to that rank.
     */
    void limit(int to, LinkLimits limits);

    /** Bytes of all frames sent so far, headers included. */
    long bytesSent();

    /** Number of frames sent so far. */
    long framesSent();

    /** Number of frames dropped because they carried another generation of the run (fencing). */
    long staleFrames();

    /** Fails the current exchange and any later one; may be called twice. */
    @Override
    void close();

    /**
     * Sends {@code out} to one rank while it fills {@code in} from another or the same one. Returns
     * when {@code out} may be changed and {@code in} is complete.
     */
    default void exchange(int to, MemorySegment out, int from, MemorySegment in) {
        receive(from, in, 0, in.byteSize());
        send(to, PayloadType.PLAIN, out, 0, out.byteSize());
        awaitReceived(from);
        awaitSent(to);
    }

    /**
     * A received frame.
     *
     * @param bytes number of bytes of the receive buffer that the frame has filled
     */
    record Received(PayloadType content, long bytes) {}
}
