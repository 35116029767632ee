package dev.equipoise.agent.lifecycle;

import org.jspecify.annotations.Nullable;

/** Ends the agent; the message is one sentence that gives the reason to the operator. */
final class AgentFailed extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final int FAILED = 1;

    /** EX_NOPERM of sysexits.h: tells a service manager not to start the agent again. */
    private static final int REFUSED = 77;

    private final int status;

    AgentFailed(String message, @Nullable Throwable cause) {
        this(FAILED, message, cause);
    }

    private AgentFailed(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Returns a failure that another start cannot fix: the service refuses this agent. */
    static AgentFailed refused(String message, @Nullable Throwable cause) {
        return new AgentFailed(REFUSED, message, cause);
    }

    /** Exit status of the process. */
    int status() {
        return status;
    }
}
