package dev.equipoise.app.run;

import dev.equipoise.app.recovery.StoppedRank;
import dev.equipoise.app.recovery.SurvivorSelection;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.RunReport.RoundReached;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;

/** Rank of a placed run: its worker, share and progress. */
@Entity
@Table(name = "replica")
class RunRank implements Persistable<RunRank.Key> {

    @EmbeddedId private Key key;
    private UUID workerId;
    private String workerName;
    private @Nullable String processor;
    private @Nullable String backend;
    private int place;
    private int share;
    private int room;
    private @Nullable Double predictedStep;
    private @Nullable Double allReduceSeconds;
    private @Nullable String initialParameters;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable ReplicaDistance replaced;

    private int epoch;
    private int round;
    private boolean finished;
    private @Nullable Integer stoppedAfter;

    @Column(name = "standstill")
    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable StoppedRank stopped;

    @Embeddable
    record Key(UUID runId, int rank) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected RunRank() {}

    /**
     * Creates a rank of a placed run.
     *
     * @param place the definition's rank that it stands for
     */
    RunRank(UUID run, int rank, int place, RankAllocation allocation) {
        this.key = new Key(run, rank);
        assign(place, allocation);
    }

    /** Gives the rank to another worker in a new generation. */
    void reassign(int newPlace, RankAllocation allocation) {
        assign(newPlace, allocation);
        allReduceSeconds = null;
        initialParameters = null;
        replaced = null;
        finished = false;
        stoppedAfter = null;
        stopped = null;
    }

    private void assign(int ofPlace, RankAllocation allocation) {
        this.place = ofPlace;
        this.workerId = allocation.worker().value();
        this.workerName = allocation.workerName();
        this.processor = allocation.processor();
        this.backend = allocation.backend();
        this.share = allocation.share();
        this.room = allocation.room();
        this.predictedStep = allocation.stepSeconds();
    }

    void ready(ReplicaReady ready) {
        allReduceSeconds = ready.allReduceSeconds();
        initialParameters = ready.parameters();
        replaced = ready.replaced();
    }

    void reach(RoundReached reached) {
        epoch = reached.epoch();
        round = reached.round();
    }

    void stop(int afterEpoch) {
        stoppedAfter = afterEpoch;
    }

    /** Records why the rank stopped training. */
    void markStopped(StoppedRank why) {
        stopped = why;
    }

    void finish() {
        finished = true;
    }

    @Override
    public Key getId() {
        return key;
    }

    /** Always new: saved once, when the run is placed. */
    @Override
    public boolean isNew() {
        return true;
    }

    int rank() {
        return key.rank();
    }

    /**
     * The definition's rank that this rank stands for; it differs from {@link #rank} if others were
     * lost.
     */
    int place() {
        return place;
    }

    /** Returns the reason why the rank stopped training; null as long as it may train. */
    @Nullable StoppedRank stopped() {
        return stopped;
    }

    /** Whether the rank is lost in this generation. */
    boolean isLost() {
        return stopped instanceof StoppedRank.Lost;
    }

    SurvivorSelection.Stage stage() {
        if (finished) {
            return SurvivorSelection.Stage.FINISHED;
        }
        if (stoppedAfter != null) {
            return SurvivorSelection.Stage.STOPPED;
        }
        return isReady() ? SurvivorSelection.Stage.TRAINS : SurvivorSelection.Stage.PREPARES;
    }

    /**
     * Memory bound: samples of a round for which the worker has memory, at least those of its
     * share.
     */
    int room() {
        return room;
    }

    UUID workerId() {
        return workerId;
    }

    String workerName() {
        return workerName;
    }

    /** Returns the processor of the worker and its instruction set; null if unknown. */
    @Nullable String processor() {
        return processor;
    }

    /** Returns the numeric library of the worker; null if an earlier version placed the rank. */
    @Nullable String backend() {
        return backend;
    }

    int share() {
        return share;
    }

    @Nullable Double predictedStep() {
        return predictedStep;
    }

    @Nullable Double allReduceSeconds() {
        return allReduceSeconds;
    }

    @Nullable String initialParameters() {
        return initialParameters;
    }

    /**
     * Returns the distance of the weights that the rank had restored from those that replaced them;
     * null if it began with its own.
     */
    @Nullable ReplicaDistance replaced() {
        return replaced;
    }

    int epoch() {
        return epoch;
    }

    int round() {
        return round;
    }

    /** Whether the rank stopped for a preemption after this epoch. */
    boolean hasStoppedAfter(int afterEpoch) {
        return Integer.valueOf(afterEpoch).equals(stoppedAfter);
    }

    /** Describes the rank for people, for example {@code rank 1 on north}. */
    String description() {
        return "rank %d on %s".formatted(rank(), workerName);
    }

    /** Describes the rank with the processor of its worker, if that is known. */
    String descriptionWithProcessor() {
        return processor == null ? description() : "%s (%s)".formatted(description(), processor);
    }

    boolean isReady() {
        return initialParameters != null;
    }

    boolean isFinished() {
        return finished;
    }
}
