package dev.equipoise.agent.channel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Both directions between this rank and one peer. Frames are posted; {@link #advance} moves them.
 */
interface Link {

    void send(PayloadType content, MemorySegment memory, long offset, long bytes);

    /**
     * Posts a receive buffer.
     *
     * @param exact whether a plain frame must fill the buffer; else any frame that fits may come
     */
    void receive(MemorySegment memory, long offset, long bytes, boolean exact);

    /**
     * Moves all bytes that can move without waiting.
     *
     * @return the bytes moved in either direction, headers included; 0 if nothing moved
     * @throws IOException when a frame can no longer move; the message says why
     */
    long advance() throws IOException;

    /** Number of posted frames whose memory may not be changed yet. */
    int unsent();

    /** Number of posted receive buffers that are not full yet. */
    int unreceived();

    /** The last received frame. */
    Channel.Received lastReceived();

    /** Bytes of all frames sent so far, headers included. */
    long bytesSent();

    default long staleFrames() {
        return 0;
    }

    /** Number of the frame that is being sent, counted from 1. */
    long frameOut();

    /** Number of the frame that is awaited, counted from 1. */
    long frameIn();

    /** Nanoseconds until the link has to move frames by itself. */
    default long idleNanos() {
        return Long.MAX_VALUE;
    }

    /** Closes both directions; both sides see the end. Any thread may call. */
    void close();
}
