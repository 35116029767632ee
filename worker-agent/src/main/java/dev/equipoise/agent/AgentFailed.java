package dev.equipoise.agent;

import org.jspecify.annotations.Nullable;

/** The agent cannot go on; the message says why, in one sentence for whoever started it. */
final class AgentFailed extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int FAILED = 1;

    /** The EX_NOPERM of sysexits.h, by which whatever starts agents knows not to start it again. */
    private static final int REFUSED = 77;

    private final int status;

    AgentFailed(String message, @Nullable Throwable cause) {
        this(FAILED, message, cause);
    }

    private AgentFailed(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** The service does not take this agent, however often it is started. */
    static AgentFailed refused(String message, Throwable cause) {
        return new AgentFailed(REFUSED, message, cause);
    }

    /** With which the process ends. */
    int status() {
        return status;
    }
}
