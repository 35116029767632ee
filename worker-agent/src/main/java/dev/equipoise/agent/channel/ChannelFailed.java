package dev.equipoise.agent.channel;

import org.jspecify.annotations.Nullable;

/**
 * The ranks of a run can no longer exchange; the message names this rank, the peer and the frame.
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

    /** A peer did not come in time. */
    public static ChannelFailed missing(String message) {
        return new ChannelFailed(Reason.PEER_LOST, message);
    }

    /** A peer is gone, and the channel stays open for the others. */
    static ChannelFailed lost(int rank, int peer) {
        return missing("rank %d has lost rank %d".formatted(rank, peer));
    }

    public Reason reason() {
        return reason;
    }

    /** Why ranks part. */
    public enum Reason {
        /** A peer did not come, has gone, or its machine has. */
        PEER_LOST,
        /** A peer is there and says nothing. */
        TIMED_OUT,
        /** A peer sent what this rank does not understand, or bits have flipped. */
        BAD_FRAME,
        /** This rank has closed its channel, or its thread was interrupted. */
        CLOSED
    }
}
