package dev.equipoise.agent.server;

import dev.equipoise.agent.codec.FrameCorrupt;

/** Thrown when a peer sends an invalid message; the receiver should close the channel. */
public final class MessageRefused extends RuntimeException {

    private static final long serialVersionUID = 1;

    MessageRefused(String message) {
        super(message);
    }

    MessageRefused(int rank, Message message, FrameCorrupt cause) {
        super("rank %d sent %s: %s".formatted(rank, message, cause.getMessage()), cause);
    }
}
