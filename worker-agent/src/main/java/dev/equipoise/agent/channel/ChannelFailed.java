package dev.equipoise.agent.channel;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the ranks of a run can no longer exchange; the message names this rank, the peer and
 * the frame.
 */
public final class ChannelFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    public ChannelFailed(Reason reason, String message) {
        this(reason, message, null);
    }

    ChannelFailed(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns the failure that a peer did not connect in time. */
    public static ChannelFailed missing(String message) {
        return new ChannelFailed(Reason.PEER_LOST, message);
    }

    /** Returns the failure that a peer is lost while the channel stays open for the others. */
    static ChannelFailed lost(int rank, int peer) {
        return missing("rank %d has lost rank %d".formatted(rank, peer));
    }

    public Reason reason() {
        return reason;
    }

    /** Why a channel failed. */
    public enum Reason {
        /** A peer did not connect, or it or its host is gone. */
        PEER_LOST,
        /** A peer is connected but silent. */
        TIMED_OUT,
        /** A peer sent an unexpected or corrupt frame. */
        BAD_FRAME,
        /** This rank has closed its channel, or its thread was interrupted. */
        CLOSED
    }
}
