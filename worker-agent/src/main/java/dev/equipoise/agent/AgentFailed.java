package dev.equipoise.agent;

import org.jspecify.annotations.Nullable;

/** The agent cannot go on; the message says why, in one sentence for whoever started it. */
final class AgentFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    AgentFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
