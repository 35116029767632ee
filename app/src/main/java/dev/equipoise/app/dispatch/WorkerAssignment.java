package dev.equipoise.app.dispatch;

import dev.equipoise.app.measurement.MeasurementKind;
import dev.equipoise.app.measurement.MeasurementTask;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of one worker in a run or a measurement session. */
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

    static WorkerAssignment ofMeasurement(
            WorkerId worker, MeasurementTask task, byte[] key, Instant now) {
        WorkerAssignment assignment = new WorkerAssignment(worker, task.rank(), 1, key, now);
        switch (task.kind()) {
            case PROFILES -> assignment.profileId = task.id();
            case LINKS -> assignment.linkMeasurementId = task.id();
        }
        return assignment;
    }

    /** The work of an assignment. */
    sealed interface Subject {
        /**
         * A rank of a run.
         *
         * @param key in Base64
         */
        record OfRun(RunId run, int rank, String key) implements Subject {}

        /**
         * A task of a measurement session.
         *
         * @param key in Base64
         */
        record OfMeasurement(MeasurementTask task, String key) implements Subject {}
    }

    Subject subject() {
        return runId != null
                ? new Subject.OfRun(RunId.of(runId), placeOfWorker, key())
                : new Subject.OfMeasurement(
                        task(profileId, linkMeasurementId, placeOfWorker), key());
    }

    /** The measurement task with these columns, of which one identifier is not null. */
    static MeasurementTask task(@Nullable UUID profile, @Nullable UUID links, int rank) {
        return links != null
                ? new MeasurementTask(MeasurementKind.LINKS, links, rank)
                : new MeasurementTask(
                        MeasurementKind.PROFILES, Objects.requireNonNull(profile), rank);
    }

    /** The key in Base64; empty for old profiles without sessions. */
    private String key() {
        return runKey == null ? "" : Base64.getEncoder().encodeToString(runKey);
    }

    /**
     * Leases the assignment to its worker; a repetition covers a lost reply.
     *
     * @return whether it is the first lease
     */
    boolean lease() {
        boolean first = state == AssignmentState.OFFERED;
        if (first) {
            become(AssignmentState.LEASED);
        }
        leases++;
        return first;
    }

    /** Whether its worker has yet to finish it. */
    boolean isOpen() {
        return AssignmentState.OPEN.contains(state);
    }

    int leases() {
        return leases;
    }

    boolean hasReports() {
        return lastSequence > 0;
    }

    void advance(long sequence) {
        lastSequence = sequence;
    }

    /** Suspends the rank; its worker stays allocated to the run. */
    void suspend() {
        become(AssignmentState.PARKED);
    }

    boolean isSuspended() {
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

    /**
     * Takes a time without heartbeats, such as a clock jump, out of the allocation: moves its
     * beginning by that time.
     *
     * @param from last heartbeat before
     * @param until first heartbeat after; before {@code from} if the clock was set back
     */
    void exclude(Instant from, Instant until) {
        if (until.isBefore(from)) {
            if (createdAt.isAfter(until)) {
                createdAt = earlier(createdAt.minus(Duration.between(until, from)), until);
            }
            return;
        }
        Instant start = createdAt.isAfter(from) ? createdAt : from;
        Instant end = endedAt == null ? until : earlier(endedAt, until);
        if (end.isAfter(start)) {
            createdAt = createdAt.plus(Duration.between(start, end));
        }
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * Seconds for which the worker was allocated to it.
     *
     * @param coveredUntil end of the time that counts
     */
    double heldSeconds(Instant now, Instant coveredUntil) {
        Instant end = endedAt == null ? now : endedAt;
        return WorkerAllocation.seconds(createdAt, earlier(end, coveredUntil));
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
