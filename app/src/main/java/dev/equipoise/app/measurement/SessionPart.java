package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle that a profile and a link measurement share. {@link MeasurementState} has its
 * transitions.
 */
@MappedSuperclass
abstract class SessionPart {

    @Id private UUID id;

    @Enumerated(EnumType.STRING)
    private MeasurementState state;

    private @Nullable String failure;
    private Instant requestedAt;
    private @Nullable Instant finishedAt;

    @SuppressWarnings("UnusedVariable") // for Hibernate
    @Version
    private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected SessionPart() {}

    SessionPart(Instant requestedAt) {
        this.id = UUID.randomUUID();
        this.state = MeasurementState.PENDING;
        this.requestedAt = requestedAt;
    }

    /** The first words of messages about this part, for example {@code Link measurement}. */
    abstract String label();

    /** Names this part in the messages of the parts that end with it. */
    abstract String title();

    /** Whether the worker takes part in this measurement. */
    abstract boolean isOf(WorkerId worker);

    /** Ends the part on request, or because a worker that has not begun was cordoned. */
    abstract void withdraw(String reason, Instant now);

    UUID id() {
        return id;
    }

    MeasurementState state() {
        return state;
    }

    boolean isOver() {
        return state.isTerminal();
    }

    Instant requestedAt() {
        return requestedAt;
    }

    @Nullable Instant finishedAt() {
        return finishedAt;
    }

    /** Reason of the failure; null if it did not fail, or a profile was canceled on request. */
    @Nullable String failure() {
        return failure;
    }

    void begin() {
        become(MeasurementState.MEASURING);
    }

    void complete(Instant now) {
        end(MeasurementState.COMPLETE, null, now);
    }

    void fail(String reason, Instant now) {
        end(MeasurementState.FAILED, reason, now);
    }

    /** Cancels the part because another part of its session failed. */
    void cancel(String reason, Instant now) {
        end(MeasurementState.CANCELLED, reason, now);
    }

    void end(MeasurementState how, @Nullable String reason, Instant now) {
        become(how);
        failure = reason;
        finishedAt = now;
    }

    private void become(MeasurementState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "%s %s is %s and cannot become %s".formatted(label(), id, state, next));
        }
        state = next;
    }
}
