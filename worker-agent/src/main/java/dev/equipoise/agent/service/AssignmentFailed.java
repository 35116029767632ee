package dev.equipoise.agent.service;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.FailureCause;
import org.jspecify.annotations.Nullable;

/** An assignment that cannot be done, for a reason that the service is told. */
public final class AssignmentFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final FailureCause responsible;
    private final String code;

    private AssignmentFailed(
            FailureCause responsible, String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.responsible = responsible;
        this.code = code;
    }

    /** The definition is wrong; trying again would fail again. */
    public static AssignmentFailed byUser(String code, String message, @Nullable Throwable cause) {
        return new AssignmentFailed(FailureCause.USER, code, message, cause);
    }

    /** The worker or its surroundings failed; elsewhere or later it may go well. */
    public static AssignmentFailed byWorker(
            String code, String message, @Nullable Throwable cause) {
        return new AssignmentFailed(FailureCause.WORKER, code, message, cause);
    }

    /** There is not enough of something, or it does not answer; later it may go well. */
    public static AssignmentFailed byCapacity(
            String code, String message, @Nullable Throwable cause) {
        return new AssignmentFailed(FailureCause.CAPACITY, code, message, cause);
    }

    public AgentEvent.Failed toEvent() {
        return new AgentEvent.Failed(responsible, code, String.valueOf(getMessage()));
    }
}
