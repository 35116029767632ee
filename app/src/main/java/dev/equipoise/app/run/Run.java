package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.app.recovery.RestartDecision;
import dev.equipoise.app.recovery.ResumePoint;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Position;
import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** Run: one execution of one run configuration. */
@Entity
class Run {

    @Id private UUID id;
    private UUID projectId;
    @Embedded private RunOrigin origin;
    private int priority;

    @Enumerated(EnumType.STRING)
    private RunState state;

    @JdbcTypeCode(SqlTypes.JSON)
    private RunConfiguration configuration;

    @Column(name = "likeness")
    private @Nullable String workloadKey;

    private String[] tags;
    private int rounds;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable RunFailure failure;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Prediction prediction;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable RunFigures measured;

    @Embedded private QueueState queue;
    @Embedded private PlacementState placement;
    @Embedded private Suspension suspension;
    @Embedded private PreemptionState preemption;
    @Embedded private Restarts restarts;
    private @Nullable Instant startedAt;
    private @Nullable Instant endedAt;

    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Run() {}

    Run(
            StoredExperiment experiment,
            RunOrigin origin,
            String workloadKey,
            WaitReason reason,
            Instant now) {
        this.id = UUID.randomUUID();
        this.projectId = experiment.project();
        this.origin = origin;
        this.priority = experiment.priority();
        this.state = RunState.QUEUED;
        this.configuration = experiment.configurations().get(origin.position());
        this.workloadKey = workloadKey;
        this.tags = new String[0];
        this.rounds = configuration.rounds();
        this.queue = QueueState.entered(reason, now);
        this.placement = PlacementState.NONE;
        this.suspension = Suspension.NONE;
        this.preemption = PreemptionState.NONE;
        this.restarts = Restarts.NONE;
    }

    /**
     * Changes the priority.
     *
     * @throws Problem {@code illegal-state} unless the run is queued
     */
    void prioritize(int wanted) {
        if (state != RunState.QUEUED) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s, but only a queued run can change its priority"
                            .formatted(id, state));
        }
        priority = wanted;
    }

    /**
     * Begins a new generation with new workers.
     *
     * @param shared how the ranks share hidden units; null if they do not
     */
    void place(int size, @Nullable HybridAllocationView shared, Instant now) {
        transitionTo(RunState.PLACED);
        queue = queue.left();
        placement = placement.placed(size, shared, now);
        suspension = Suspension.NONE;
    }

    /**
     * Reconfigures the run: some ranks continue in a new generation.
     *
     * @param size number of these ranks
     */
    void reconfigure(int size, ResumePoint with) {
        transitionTo(RunState.PLACED);
        placement = placement.reconfigured(size, with);
        suspension = Suspension.NONE;
        preemption = preemption.requested(null);
        restarts = restarts.reconfigured(with.continuation().from().step(rounds));
    }

    /**
     * Asks the ranks to suspend after an epoch, so that workers may join or leave, or withdraws
     * that.
     */
    void requestReconfiguration(boolean wanted) {
        suspension = suspension.requested(wanted);
    }

    boolean isReconfigurationRequested() {
        return suspension.reconfigurationRequested();
    }

    /** Starts the grace period for ranks that have not reported, unless it has started. */
    void startGracePeriod(Instant until) {
        suspension = suspension.startGracePeriod(until);
    }

    /** Replaces what the configuration leaves open by the choice of the service. */
    void choose(RunConfiguration chosen) {
        configuration = chosen;
        rounds = chosen.rounds();
    }

    /**
     * Whether the run can be reconfigured; before an agent has begun there is no state to continue
     * with.
     */
    boolean isElastic() {
        return configuration.isElastic() && state != RunState.PLACED;
    }

    /** Whether the remaining ranks train to the end of the epoch without the lost ones. */
    boolean toleratesLossesNow() {
        return configuration.toleratesLosses() && state == RunState.RUNNING;
    }

    /** Records that an agent has begun; returns whether it is the first one. */
    boolean prepare() {
        boolean first = state == RunState.PLACED;
        if (first) {
            transitionTo(RunState.PREPARING);
        }
        return first;
    }

    void start(Instant now) {
        transitionTo(RunState.RUNNING);
        startedAt = Objects.requireNonNullElse(startedAt, now);
        placement = placement.started(now);
        // Ranks that carry on to the end of the epoch have no grace period.
        if (configuration.toleratesLosses()) {
            suspension = suspension.withoutGracePeriod();
        }
    }

    /** Asks the agents to stop after an epoch, for another run. */
    void preempt(UUID other) {
        preemption = preemption.requested(other);
    }

    /** Withdraws the request to stop; agents that have agreed to stop meanwhile still do. */
    void cancelPreemption() {
        preemption = preemption.requested(null);
    }

    /** Records that the run cannot stop, since its checkpoint cannot be stored. */
    void refuse(PreemptionRefusal why) {
        preemption = preemption.refused(why);
    }

    /**
     * Returns the preempted run to the queue, where it keeps its place by its original queue time.
     */
    void requeuePreempted(int epoch, WaitReason reason, Instant now) {
        transitionTo(RunState.QUEUED);
        queue = queue.reentered(reason, null, epoch, now);
        placement = placement.interrupted();
        suspension = Suspension.NONE;
        preemption = preemption.succeeded();
        restarts = restarts.preempted();
    }

    /**
     * Returns the run to the queue for a restart with other workers.
     *
     * @param epoch epoch after which it resumes; 0 for the beginning
     * @param reached rounds that its ranks had trained
     */
    void requeueForRestart(
            RunFailure why,
            RestartDecision.Restart restart,
            int epoch,
            long reached,
            WaitReason reason,
            Instant now) {
        transitionTo(RunState.QUEUED);
        queue = queue.reentered(reason, now.plus(restart.pause()), epoch == 0 ? null : epoch, now);
        placement = placement.interrupted();
        suspension = Suspension.NONE;
        preemption = preemption.interrupted();
        restarts = restarts.restarted(why, restart.restartsWithoutProgress(), reached);
    }

    void predict(Prediction predicted) {
        prediction = predicted;
    }

    void measure(@Nullable RunFigures soFar) {
        measured = soFar;
    }

    void complete(Instant now) {
        transitionTo(RunState.COMPLETED);
        end(now);
    }

    void fail(RunFailure reason, Instant now) {
        transitionTo(RunState.FAILED);
        queue = queue.ended();
        failure = reason;
        end(now);
    }

    void cancel(Instant now) {
        transitionTo(RunState.CANCELLED);
        queue = queue.ended();
        end(now);
    }

    /** Ends the run no earlier than it began: the clock may have been set back. */
    private void end(Instant now) {
        Instant begun = Objects.requireNonNullElse(startedAt, queue.queuedAt());
        endedAt = now.isBefore(begun) ? begun : now;
    }

    void tag(SortedSet<String> words) {
        tags = words.toArray(String[]::new);
    }

    private void transitionTo(RunState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
        if (next.isTerminal()) {
            preemption = preemption.requested(null);
            suspension = suspension.withoutGracePeriod();
        }
    }

    UUID id() {
        return id;
    }

    UUID projectId() {
        return projectId;
    }

    UUID experimentId() {
        return origin.experimentId();
    }

    int experimentVersion() {
        return origin.experimentVersion();
    }

    String experimentName() {
        return origin.experimentName();
    }

    int position() {
        return origin.position();
    }

    /** Returns what sets the run apart in its version of the experiment; empty if nothing does. */
    String label() {
        return origin.labelOrEmpty();
    }

    /** Returns the name of the experiment with the label, or without one the number, from 1. */
    String name() {
        return origin.runName();
    }

    int priority() {
        return priority;
    }

    RunState state() {
        return state;
    }

    RunConfiguration configuration() {
        return configuration;
    }

    /** Workload key; null in runs of earlier versions. */
    @Nullable String workloadKey() {
        return workloadKey;
    }

    List<String> tags() {
        return List.of(tags);
    }

    /** Number that grows with each change. */
    long revision() {
        return version == null ? 0 : version;
    }

    int generation() {
        return placement.generation();
    }

    int rounds() {
        return rounds;
    }

    /**
     * Number of ranks of the current or last generation; it may be less than the configuration asks
     * for.
     */
    int ranks() {
        return placement.ranks();
    }

    /** Retained state with which interrupted ranks continue; null if they begin otherwise. */
    @Nullable ResumePoint resumption() {
        return placement.resumption();
    }

    /** End of the grace period; null if there is none. */
    @Nullable Instant gracePeriodEnd() {
        return suspension.gracePeriodEnd();
    }

    @Nullable WaitReason waiting() {
        return queue.waiting();
    }

    @Nullable RunFailure failure() {
        return failure;
    }

    @Nullable Prediction prediction() {
        return prediction;
    }

    @Nullable RunFigures measured() {
        return measured;
    }

    /** Returns one of the figures; null if unknown, as all are before the first reported epoch. */
    <T> @Nullable T figure(Function<RunFigures, @Nullable T> figure) {
        return measured == null ? null : figure.apply(measured);
    }

    @Nullable HybridAllocationView hybrid() {
        return placement.hybrid();
    }

    @Nullable Grouping grouping() {
        HybridAllocationView hybrid = placement.hybrid();
        return hybrid == null ? null : hybrid.grouping();
    }

    Instant queuedAt() {
        return queue.queuedAt();
    }

    /** Beginning of the current or last stay in the queue. */
    Instant waitingSince() {
        return Objects.requireNonNullElse(queue.interruptedAt(), queue.queuedAt());
    }

    @Nullable Instant startedAt() {
        return startedAt;
    }

    /** Time at which all ranks of the generation were ready; null before. */
    @Nullable Instant trainingSince() {
        return placement.trainingSince();
    }

    /** Number of preemptions. */
    int preemptions() {
        return preemption.preemptions();
    }

    /** Epoch after which the next generation resumes; null for the beginning. */
    @Nullable Integer checkpointEpoch() {
        return queue.checkpointEpoch();
    }

    /** Position at which the generation begins. */
    Position begun() {
        ResumePoint resumption = placement.resumption();
        return resumption == null
                ? Position.beginning(epochsBefore() + 1)
                : resumption.continuation().from();
    }

    /** Number of epochs that earlier generations have trained. */
    int epochsBefore() {
        ResumePoint resumption = placement.resumption();
        return resumption == null
                ? Objects.requireNonNullElse(queue.checkpointEpoch(), 0)
                : resumption.continuation().from().epoch() - 1;
    }

    /** Whether the agents are asked to stop after an epoch. */
    boolean isAskedToStop() {
        return preemption.preemptFor() != null;
    }

    /** Run for which they are asked to stop; null if they are not. */
    @Nullable UUID preemptFor() {
        return preemption.preemptFor();
    }

    /** Last preemption refusal; null if there is none, or a preemption has succeeded since. */
    @Nullable PreemptionRefusal refusal() {
        return preemption.refusal();
    }

    /**
     * Run for which it was preempted last; null if there was none, or the request was withdrawn.
     */
    @Nullable UUID preemptedBy() {
        return preemption.preemptedBy();
    }

    /** Number of restarts. */
    int restarts() {
        return restarts.count();
    }

    /** Failure behind the last restart; null if there was none, or the run was preempted since. */
    @Nullable RunFailure restartFailure() {
        return restarts.failure();
    }

    /** End of the delay before a restart; null without a delay. */
    @Nullable Instant notBefore() {
        return queue.notBefore();
    }

    /** Number of restarts without progress, in a row. */
    int restartsWithoutProgress() {
        return restarts.withoutProgress();
    }

    /** Most rounds that the run had trained at a restart. */
    long furthest() {
        return restarts.furthest();
    }

    @Nullable Instant endedAt() {
        return endedAt;
    }
}
