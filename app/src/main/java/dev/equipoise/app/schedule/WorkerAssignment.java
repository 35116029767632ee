package dev.equipoise.app.schedule;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One worker's part in a run, in a profile, or in a measurement of links. */
@Entity
@Table(name = "assignment")
class WorkerAssignment {

    @Id private UUID id;
    private UUID workerId;
    private @Nullable UUID runId;

    @Column(name = "rank")
    private int placeOfWorker;

    private @Nullable UUID profileId;
    private @Nullable UUID linkMeasurementId;
    private int generation;

    @Enumerated(EnumType.STRING)
    private AssignmentState state;

    private int leases;
    private long lastSequence;
    private byte @Nullable [] runKey;

    private Instant createdAt;
    private @Nullable Instant endedAt;

    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected WorkerAssignment() {}

    private WorkerAssignment(WorkerId worker, int rank, int generation, byte[] key, Instant now) {
        this.id = UUID.randomUUID();
        this.workerId = worker.value();
        this.placeOfWorker = rank;
        this.runKey = key.clone();
        this.generation = generation;
        this.state = AssignmentState.OFFERED;
        this.createdAt = now;
    }

    static WorkerAssignment ofRun(
            WorkerId worker, RunId run, int rank, int generation, byte[] key, Instant now) {
        WorkerAssignment assignment = new WorkerAssignment(worker, rank, generation, key, now);
        assignment.runId = run.value();
        return assignment;
    }

    static WorkerAssignment ofLinks(
            WorkerId worker, UUID measurement, int rank, byte[] key, Instant now) {
        WorkerAssignment assignment = new WorkerAssignment(worker, rank, 1, key, now);
        assignment.linkMeasurementId = measurement;
        return assignment;
    }

    static WorkerAssignment ofProfile(
            WorkerId worker, UUID profile, int rank, byte[] key, Instant now) {
        WorkerAssignment assignment = new WorkerAssignment(worker, rank, 1, key, now);
        assignment.profileId = profile;
        return assignment;
    }

    /** What the part belongs to. */
    sealed interface Subject {
        /**
         * A rank of a run.
         *
         * @param key in Base64
         */
        record OfRun(RunId run, int rank, String key) implements Subject {}

        /**
         * A worker's profile.
         *
         * @param key in Base64
         */
        record OfProfile(UUID profile, String key) implements Subject {}

        /**
         * A rank of a measurement of links.
         *
         * @param key in Base64
         */
        record OfLinks(UUID measurement, int rank, String key) implements Subject {}
    }

    Subject subject() {
        if (runId != null) {
            return new Subject.OfRun(RunId.of(runId), placeOfWorker, key());
        }
        return linkMeasurementId != null
                ? new Subject.OfLinks(linkMeasurementId, placeOfWorker, key())
                : new Subject.OfProfile(Objects.requireNonNull(profileId), key());
    }

    /** Profiles had none before they had sessions. */
    private String key() {
        return runKey == null ? "" : Base64.getEncoder().encodeToString(runKey);
    }

    /**
     * Hands the part to its worker; again where the answer to the first lease was lost.
     *
     * @return whether it is the first time
     */
    boolean lease() {
        boolean first = state == AssignmentState.OFFERED;
        if (first) {
            become(AssignmentState.LEASED);
        }
        leases++;
        return first;
    }

    /** Whether its worker is not done with it. */
    boolean isOpen() {
        return AssignmentState.OPEN.contains(state);
    }

    /** How often its worker was handed it. */
    int leases() {
        return leases;
    }

    /** Whether its worker has reported anything of it. */
    boolean wasSpokenOf() {
        return lastSequence > 0;
    }

    void advance(long sequence) {
        lastSequence = sequence;
    }

    /** Its worker is kept for the run. */
    void park() {
        become(AssignmentState.PARKED);
    }

    boolean isParked() {
        return state == AssignmentState.PARKED;
    }

    void finish(Instant now) {
        become(AssignmentState.DONE);
        endedAt = now;
    }

    void revoke(Instant now) {
        become(AssignmentState.REVOKED);
        endedAt = now;
    }

    /** For how long its worker was there for it alone. */
    double heldSeconds(Instant now) {
        return Held.seconds(createdAt, endedAt == null ? now : endedAt);
    }

    private void become(AssignmentState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Assignment %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
    }

    AssignmentId id() {
        return AssignmentId.of(id);
    }

    WorkerId worker() {
        return WorkerId.of(workerId);
    }

    int generation() {
        return generation;
    }

    AssignmentState state() {
        return state;
    }

    long lastSequence() {
        return lastSequence;
    }
}
