package dev.equipoise.agent.channel;

import org.jspecify.annotations.Nullable;

/**
 * The ranks of a run can no longer exchange; the message names this rank, the peer and the frame.
 */
public final class ChannelFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    ChannelFailed(String message) {
        this(message, null);
    }

    ChannelFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
