package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.experiment.StoredExperiment;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Position;
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
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** One execution of one resolved configuration. */
@Entity
class Run {

    @Id private UUID id;
    private UUID projectId;
    private UUID experimentId;
    private String experimentName;
    private int experimentVersion;
    private int position;
    private int priority;

    @Enumerated(EnumType.STRING)
    private RunState state;

    @JdbcTypeCode(SqlTypes.JSON)
    private RunConfiguration configuration;

    private @Nullable String likeness;
    private String[] tags;
    private int generation;
    private int rounds;
    private int ranks;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Waiting waiting;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable RunFailure failure;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Prediction prediction;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Measured measured;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Hybrid hybrid;

    private Instant queuedAt;

    @SuppressWarnings("UnusedVariable") // for the lengths of later runs
    private @Nullable Instant placedAt;

    private @Nullable Instant startedAt;
    private @Nullable Instant trainingSince;
    private int preemptions;
    private @Nullable Integer checkpointEpoch;
    private @Nullable UUID preemptFor;
    private @Nullable UUID preemptedBy;

    private @Nullable Instant interruptedAt;

    private int setbacks;
    private int fruitless;
    private long furthest;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable RunFailure setback;

    private @Nullable Instant notBefore;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Resumed resumption;

    private @Nullable Instant regroupBy;
    private boolean regroupWanted;
    private @Nullable Instant endedAt;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Refusal refusal;

    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Run() {}

    Run(StoredExperiment experiment, int position, String likeness, Waiting reason, Instant now) {
        this.id = UUID.randomUUID();
        this.projectId = experiment.project();
        this.experimentId = experiment.id();
        this.experimentName = experiment.name();
        this.experimentVersion = experiment.version();
        this.position = position;
        this.priority = experiment.priority();
        this.state = RunState.QUEUED;
        this.configuration = experiment.configurations().get(position);
        this.likeness = likeness;
        this.tags = new String[0];
        this.rounds = configuration.rounds();
        this.waiting = reason;
        this.queuedAt = now;
    }

    /**
     * Takes another place among the runs of its project.
     *
     * @throws Problem {@code illegal-state} where it waits no more
     */
    void prioritise(int wanted) {
        if (state != RunState.QUEUED) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s, and only a queued one has a priority to change"
                            .formatted(id, state));
        }
        priority = wanted;
    }

    /**
     * All its workers are found; a new generation begins.
     *
     * @param shared how its ranks share hidden units; null where they do not
     */
    void place(int seats, @Nullable Hybrid shared, Instant now) {
        become(RunState.PLACED);
        ranks = seats;
        resumption = null;
        regroupWanted = false;
        placedAt = now;
        hybrid = shared;
        generation++;
        waiting = null;
        notBefore = null;
        trainingSince = null;
    }

    /**
     * Some of its ranks were lost, and the others go on in a new generation.
     *
     * @param seats how many these are
     * @param inVain how often in a row it lost some without getting further
     */
    void regroup(int seats, Resumed with, int inVain, long reached) {
        become(RunState.PLACED);
        ranks = seats;
        resumption = with;
        fruitless = inVain;
        furthest = Math.max(furthest, reached);
        regroupBy = null;
        regroupWanted = false;
        preemptFor = null;
        generation++;
        trainingSince = null;
    }

    /**
     * Whether its ranks are to stand still after an epoch, so that others may join them or some
     * leave.
     */
    void wantRegroup(boolean wanted) {
        regroupWanted = wanted;
    }

    boolean isRegroupWanted() {
        return regroupWanted;
    }

    /** Some of its ranks stand still; until then they wait for the others. */
    void standStill(Instant until) {
        regroupBy = Objects.requireNonNullElse(regroupBy, until);
    }

    /** What was left to the service is decided. */
    void choose(RunConfiguration chosen) {
        configuration = chosen;
        rounds = chosen.rounds();
    }

    /** An agent begins; whether it is the first. */
    boolean prepare() {
        boolean first = state == RunState.PLACED;
        if (first) {
            become(RunState.PREPARING);
        }
        return first;
    }

    void start(Instant now) {
        become(RunState.RUNNING);
        startedAt = Objects.requireNonNullElse(startedAt, now);
        trainingSince = now;
        // Those that carry on to the end of the epoch take as long as it takes.
        if (configuration.carriesOn()) {
            regroupBy = null;
        }
    }

    /** Its agents are asked to stop after an epoch. */
    void preempt(UUID other) {
        preemptFor = other;
    }

    /** They are not asked any more; where they have agreed on it meanwhile, they stop. */
    void spare() {
        preemptFor = null;
    }

    /** It cannot stop, as its checkpoint is not kept, and is not asked for some time. */
    void refuse(Refusal why) {
        refusal = why;
        preemptFor = null;
    }

    /**
     * It has made room, and waits again; as it was queued then, it keeps its place before younger
     * ones.
     */
    void makeRoom(int epoch, Waiting reason, Instant now) {
        become(RunState.QUEUED);
        preemptions++;
        checkpointEpoch = epoch;
        preemptedBy = preemptFor;
        interruptedAt = now;
        setback = null;
        preemptFor = null;
        refusal = null;
        resumption = null;
        regroupBy = null;
        trainingSince = null;
        waiting = reason;
    }

    /**
     * Its workers have failed it, and it waits for others.
     *
     * @param epoch after which it goes on; 0 from its beginning
     * @param reached how many rounds its ranks had done
     */
    void setBack(
            RunFailure why,
            Recovery.Restart restart,
            int epoch,
            long reached,
            Waiting reason,
            Instant now) {
        become(RunState.QUEUED);
        setbacks++;
        setback = why;
        fruitless = restart.fruitless();
        furthest = Math.max(furthest, reached);
        notBefore = now.plus(restart.pause());
        checkpointEpoch = epoch == 0 ? null : epoch;
        interruptedAt = now;
        preemptedBy = null;
        preemptFor = null;
        refusal = null;
        resumption = null;
        regroupBy = null;
        trainingSince = null;
        waiting = reason;
    }

    void predict(Prediction predicted) {
        prediction = predicted;
    }

    void measure(@Nullable Measured soFar) {
        measured = soFar;
    }

    void complete(Instant now) {
        become(RunState.COMPLETED);
        endedAt = now;
    }

    void fail(RunFailure reason, Instant now) {
        become(RunState.FAILED);
        waiting = null;
        failure = reason;
        endedAt = now;
    }

    void cancel(Instant now) {
        become(RunState.CANCELLED);
        waiting = null;
        endedAt = now;
    }

    void tag(SortedSet<String> words) {
        tags = words.toArray(String[]::new);
    }

    private void become(RunState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
        if (next.isTerminal()) {
            preemptFor = null;
            regroupBy = null;
        }
    }

    UUID id() {
        return id;
    }

    UUID projectId() {
        return projectId;
    }

    UUID experimentId() {
        return experimentId;
    }

    int experimentVersion() {
        return experimentVersion;
    }

    String experimentName() {
        return experimentName;
    }

    int position() {
        return position;
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

    /** Null in runs of earlier versions. */
    @Nullable String likeness() {
        return likeness;
    }

    List<String> tags() {
        return List.of(tags);
    }

    /** Grows with each change. */
    long revision() {
        return version == null ? 0 : version;
    }

    int generation() {
        return generation;
    }

    int rounds() {
        return rounds;
    }

    /** How many it has now, or had last; some of those that it asks for may be lost. */
    int ranks() {
        return ranks;
    }

    /** With what its ranks go on that were interrupted; null where they begin otherwise. */
    @Nullable Resumed resumption() {
        return resumption;
    }

    /** Until then ranks that stand still wait for the others; null where none do. */
    @Nullable Instant regroupBy() {
        return regroupBy;
    }

    @Nullable Waiting waiting() {
        return waiting;
    }

    @Nullable RunFailure failure() {
        return failure;
    }

    @Nullable Prediction prediction() {
        return prediction;
    }

    @Nullable Measured measured() {
        return measured;
    }

    @Nullable Hybrid hybrid() {
        return hybrid;
    }

    @Nullable Grouping grouping() {
        return hybrid == null ? null : hybrid.grouping();
    }

    Instant queuedAt() {
        return queuedAt;
    }

    /** Since when it waits, or has waited last, without a break. */
    Instant waitingSince() {
        return Objects.requireNonNullElse(interruptedAt, queuedAt);
    }

    @Nullable Instant startedAt() {
        return startedAt;
    }

    /** When the ranks that it has now were all ready; null before. */
    @Nullable Instant trainingSince() {
        return trainingSince;
    }

    /** How often it has made room. */
    int preemptions() {
        return preemptions;
    }

    /** The epoch after which it goes on when it is placed anew; null where that is the first. */
    @Nullable Integer checkpointEpoch() {
        return checkpointEpoch;
    }

    /** Where its generation begins. */
    Position begun() {
        return resumption == null
                ? Position.beginning(epochsBefore() + 1)
                : resumption.continuation().from();
    }

    /** The epochs that earlier generations have trained. */
    int epochsBefore() {
        return resumption == null
                ? Objects.requireNonNullElse(checkpointEpoch, 0)
                : resumption.continuation().from().epoch() - 1;
    }

    /** Whether its agents are asked to stop after an epoch. */
    boolean isAskedToStop() {
        return preemptFor != null;
    }

    /** For whom they are; null where they are not. */
    @Nullable UUID preemptFor() {
        return preemptFor;
    }

    /** Why it could not make room when it was asked last; null where it could, or was not asked. */
    @Nullable Refusal refusal() {
        return refusal;
    }

    /** For whom it has made room last; null where that has been withdrawn, and before. */
    @Nullable UUID preemptedBy() {
        return preemptedBy;
    }

    /** How often its workers have failed it. */
    int setbacks() {
        return setbacks;
    }

    /** How they did, the last time; null where they never did, or it made room since. */
    @Nullable RunFailure setback() {
        return setback;
    }

    /** Until then it waits before it is tried again; null where it does not. */
    @Nullable Instant notBefore() {
        return notBefore;
    }

    /** How often in a row they did without its getting further than before. */
    int fruitless() {
        return fruitless;
    }

    /** The rounds since its beginning that it had done when it was set back, at most. */
    long furthest() {
        return furthest;
    }

    @Nullable Instant endedAt() {
        return endedAt;
    }
}
