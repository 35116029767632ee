package dev.equipoise.agent.channel;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Checks arguments and state of the calls on a channel, with equal messages for channels of all
 * kinds.
 */
public final class ChannelPreconditions {

    private ChannelPreconditions() {}

    /**
     * Checks the bounds of a frame when it is posted, since its bytes may move during a wait for
     * another frame.
     *
     * @throws IndexOutOfBoundsException when the memory does not have these bytes
     * @throws IllegalArgumentException when the frame has more than 2 GB
     */
    public static void requireBounds(MemorySegment memory, long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, memory.byteSize());
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a frame holds at most 2 GB, but this one has %d bytes; send several frames"
                            .formatted(bytes));
        }
    }

    /**
     * Checks that a peer is another rank of the run.
     *
     * @throws IllegalArgumentException when it is not
     */
    public static void requirePeer(int rank, int size, int peer) {
        if (peer < 0 || peer >= size || peer == rank) {
            throw new IllegalArgumentException(
                    "the peer of rank %d must be another rank below %d, but was %d"
                            .formatted(rank, size, peer));
        }
    }

    /**
     * Checks that a rank has posted a receive buffer for the peer that it awaits.
     *
     * @throws IllegalStateException when it has not
     */
    public static void requirePosted(boolean isPosted, int rank, int peer) {
        if (!isPosted) {
            throw new IllegalStateException(
                    "rank %d awaits a frame of rank %d but has posted no receive buffer for it"
                            .formatted(rank, peer));
        }
    }

    /**
     * Checks that a rank has posted no receive buffer for a peer yet.
     *
     * @throws IllegalStateException when it has
     */
    public static void requireNotPosted(boolean isPosted, int rank, int peer) {
        if (isPosted) {
            throw new IllegalStateException(
                    "rank %d has already posted a receive buffer for rank %d"
                            .formatted(rank, peer));
        }
    }

    /**
     * Checks that all frames of a link are sent before it is shaped.
     *
     * @throws IllegalStateException when frames are under way
     */
    public static void requireSent(boolean isSent, int rank, int peer) {
        if (!isSent) {
            throw new IllegalStateException(
                    "rank %d cannot shape the link to rank %d while frames are under way"
                            .formatted(rank, peer));
        }
    }
}
