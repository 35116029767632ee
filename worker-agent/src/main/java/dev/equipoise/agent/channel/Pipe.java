package dev.equipoise.agent.channel;

import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;

/**
 * A pair of byte streams between this rank and a peer. Neither reading nor writing blocks; a stream
 * that the peer has ended reads as -1 or throws an {@link java.io.EOFException}.
 */
public interface Pipe extends GatheringByteChannel, ReadableByteChannel {

    /**
     * Sends bytes that were written but buffered.
     *
     * @return whether all bytes are sent now
     */
    default boolean flush() {
        return true;
    }
}
