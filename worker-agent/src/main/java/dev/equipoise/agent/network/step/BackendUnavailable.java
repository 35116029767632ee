package dev.equipoise.agent.network.step;

import org.jspecify.annotations.Nullable;

/** The backend that the agent was built for does not compute on this machine; says why. */
public final class BackendUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1;

    public BackendUnavailable(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
