package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.ReplicaReady;
import dev.equipoise.protocol.AgentEvent.RoundReached;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;

/** One rank of a placed run: what it was given and how far it is. */
@Entity
class Replica implements Persistable<Replica.Key> {

    @EmbeddedId private Key key;
    private UUID workerId;
    private String workerName;
    private int place;
    private int share;
    private int room;
    private @Nullable Double predictedStep;
    private @Nullable Double allReduceSeconds;
    private @Nullable String initialParameters;
    private int epoch;
    private int round;
    private boolean finished;
    private @Nullable Integer stoppedAfter;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable Standstill standstill;

    @Embeddable
    record Key(UUID runId, int rank) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Replica() {}

    /**
     * Of a run that is placed.
     *
     * @param place which of the definition's ranks it is
     */
    Replica(UUID run, int rank, int place, Seat seat) {
        this.key = new Key(run, rank);
        sit(place, seat);
    }

    /** Somebody else is this rank from now on, in a new generation. */
    void reseat(int otherPlace, Seat seat) {
        sit(otherPlace, seat);
        allReduceSeconds = null;
        initialParameters = null;
        finished = false;
        stoppedAfter = null;
        standstill = null;
    }

    private void sit(int ofPlace, Seat seat) {
        this.place = ofPlace;
        this.workerId = seat.worker().value();
        this.workerName = seat.workerName();
        this.share = seat.share();
        this.room = seat.room();
        this.predictedStep = seat.stepSeconds();
    }

    void ready(ReplicaReady ready) {
        allReduceSeconds = ready.allReduceSeconds();
        initialParameters = ready.parameters();
    }

    void reach(RoundReached reached) {
        epoch = reached.epoch();
        round = reached.round();
    }

    void stop(int afterEpoch) {
        stoppedAfter = afterEpoch;
    }

    /** It trains no more, and this is why. */
    void stand(Standstill why) {
        standstill = why;
    }

    void finish() {
        finished = true;
    }

    @Override
    public Key getId() {
        return key;
    }

    /** Saved once, when the run is placed. */
    @Override
    public boolean isNew() {
        return true;
    }

    int rank() {
        return key.rank();
    }

    /** Which of the definition's ranks it is: others may have been lost. */
    int place() {
        return place;
    }

    /** Null as long as it may train. */
    @Nullable Standstill standstill() {
        return standstill;
    }

    /** Whether nothing more is heard of it in this generation. */
    boolean isLost() {
        return standstill instanceof Standstill.Lost;
    }

    Regrouping.Stage stage() {
        if (finished) {
            return Regrouping.Stage.FINISHED;
        }
        if (stoppedAfter != null) {
            return Regrouping.Stage.STOPPED;
        }
        return isReady() ? Regrouping.Stage.TRAINS : Regrouping.Stage.PREPARES;
    }

    /** Samples of a round for which its worker has memory; never less than it was given. */
    int room() {
        return room;
    }

    UUID workerId() {
        return workerId;
    }

    String workerName() {
        return workerName;
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

    int epoch() {
        return epoch;
    }

    int round() {
        return round;
    }

    /** The epoch after which it has made room; null where it has not. */
    @Nullable Integer stoppedAfter() {
        return stoppedAfter;
    }

    boolean isReady() {
        return initialParameters != null;
    }

    boolean isFinished() {
        return finished;
    }
}
