package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.FrameCorrupt;

/** A peer sent a message that makes no sense here; whoever gets it should close the channel. */
public final class MessageRefused extends RuntimeException {

    private static final long serialVersionUID = 1;

    MessageRefused(String message) {
        super(message);
    }

    MessageRefused(int rank, Message message, FrameCorrupt cause) {
        super("rank %d sent %s: %s".formatted(rank, message, cause.getMessage()), cause);
    }
}
