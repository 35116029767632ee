package dev.equipoise.agent.service;

import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import org.jspecify.annotations.Nullable;

/** Ends an assignment with a cause that is reported to the service. */
public final class AssignmentFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final FailureCause failureCause;
    private final String code;

    private AssignmentFailed(
            FailureCause failureCause, String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failureCause = failureCause;
        this.code = code;
    }

    /** Returns a failure of the definition, which would fail again. */
    public static AssignmentFailed byUser(String code, String message, @Nullable Throwable cause) {
        return new AssignmentFailed(FailureCause.USER, code, message, cause);
    }

    /**
     * Returns a failure of the worker or its surroundings; another worker or a later time may
     * succeed.
     */
    public static AssignmentFailed byWorker(
            String code, String message, @Nullable Throwable cause) {
        return new AssignmentFailed(FailureCause.WORKER, code, message, cause);
    }

    /** Returns a failure for lack of a resource or of an answer; a later time may succeed. */
    static AssignmentFailed byCapacity(String code, String message, @Nullable Throwable cause) {
        return new AssignmentFailed(FailureCause.CAPACITY, code, message, cause);
    }

    public Outcome.Failed toEvent() {
        return new Outcome.Failed(failureCause, code, String.valueOf(getMessage()));
    }
}
