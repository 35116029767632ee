package dev.equipoise.agent.channel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The way to one peer and back. Frames are posted; {@link #advance} moves them. */
interface Link {

    void send(Content content, MemorySegment memory, long offset, long bytes);

    /** A room for a plain frame that must fill it, or for any that fits. */
    void receive(MemorySegment memory, long offset, long bytes, boolean exact);

    /**
     * Moves what can be moved without waiting.
     *
     * @return the bytes moved either way, headers included; 0 where nothing has moved
     * @throws IOException where a frame cannot move any more; the message says why
     */
    long advance() throws IOException;

    /** How many frames were posted and may not be changed yet. */
    int unsent();

    /** How many rooms were posted and are not full yet. */
    int unreceived();

    /** The frame that has filled a room last. */
    Channel.Received lastReceived();

    /** The bytes of all frames sent so far, headers included. */
    long bytesSent();

    default long staleFrames() {
        return 0;
    }

    /** Which frame is on its way out; counted from 1. */
    long frameOut();

    /** Which frame is awaited; counted from 1. */
    long frameIn();

    /** After how many nanoseconds the link has something to do by itself. */
    default long idleNanos() {
        return Long.MAX_VALUE;
    }

    /** Both sides see the end; any thread may close. */
    void close();
}
