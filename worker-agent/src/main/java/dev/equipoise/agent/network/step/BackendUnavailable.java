package dev.equipoise.agent.network.step;

import org.jspecify.annotations.Nullable;

/** Tells why the backend for which the agent was built does not work on this machine. */
public final class BackendUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1;

    public BackendUnavailable(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
