package dev.equipoise.agent.server;

/** A peer sent a message that makes no sense here; whoever gets it should close the channel. */
public final class MessageRefused extends RuntimeException {

    private static final long serialVersionUID = 1;

    MessageRefused(String message) {
        super(message);
    }
}
