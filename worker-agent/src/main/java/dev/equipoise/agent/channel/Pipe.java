package dev.equipoise.agent.channel;

import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;

/**
 * Two streams of bytes between this rank and a peer. Neither reading nor writing waits; a stream
 * that the peer has ended reads as -1 or throws an {@link java.io.EOFException}.
 */
public interface Pipe extends GatheringByteChannel, ReadableByteChannel {

    /**
     * Sends on what was written and kept back to be sent with more.
     *
     * @return whether all is sent now
     */
    default boolean flush() {
        return true;
    }
}
