package dev.equipoise.agent.network.step;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the chosen backend, or the one for which the agent was built, does not work on this
 * host; the message has the reason.
 */
public final class BackendUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1;

    public BackendUnavailable(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
