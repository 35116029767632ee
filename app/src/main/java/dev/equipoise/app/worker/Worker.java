package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A registered agent. */
@Entity
class Worker {

    @Id private UUID id;
    private String name;

    @Enumerated(EnumType.STRING)
    private WorkerState state;

    @Enumerated(EnumType.STRING)
    private Cordon cordon;

    @JdbcTypeCode(SqlTypes.JSON)
    private HostDescription host;

    @JdbcTypeCode(SqlTypes.JSON)
    private Map<String, String> labels;

    private String clusterAddress;

    @JdbcTypeCode(SqlTypes.JSON)
    private Set<WorkerId> sees;

    private Instant joinedAt;
    private Instant lastSeenAt;
    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Worker() {}

    Worker(WorkerId id, Registration registration, Instant now) {
        this.id = id.value();
        this.name = registration.name();
        this.state = WorkerState.JOINING;
        this.cordon = Cordon.OPEN;
        this.host = registration.host();
        this.labels = registration.labels();
        this.clusterAddress = registration.clusterAddress();
        this.sees = Set.of();
        this.joinedAt = now;
        this.lastSeenAt = now;
    }

    /** A worker that was lost and speaks again is idle: its work was given away. */
    void hear(Heartbeat heartbeat, Instant now) {
        clusterAddress = heartbeat.clusterAddress();
        sees = heartbeat.sees();
        lastSeenAt = now;
        if (heartbeat.draining()) {
            if (state != WorkerState.DRAINING) {
                become(WorkerState.DRAINING);
            }
        } else if (state == WorkerState.JOINING || state == WorkerState.LOST) {
            become(WorkerState.IDLE);
        }
    }

    /**
     * Takes an administrator's word, also while the worker is lost.
     *
     * @return whether it was another before
     * @throws Problem {@code illegal-state} where the worker has left
     */
    boolean cordon(Cordon wanted) {
        if (state == WorkerState.LEFT) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is LEFT and cannot become %s".formatted(id, wanted));
        }
        boolean changed = cordon != wanted;
        cordon = wanted;
        return changed;
    }

    /** Whether it is to go, and has nothing to do any more. */
    boolean isDismissed() {
        return cordon == Cordon.DRAINED && state == WorkerState.IDLE;
    }

    /** Whether it may be given work at once. */
    boolean isFree() {
        return cordon == Cordon.OPEN && state == WorkerState.IDLE;
    }

    void occupy() {
        become(WorkerState.BUSY);
    }

    /** Free again, unless it is on its way out. */
    void release() {
        if (state == WorkerState.BUSY) {
            become(WorkerState.IDLE);
        }
    }

    void lose() {
        become(WorkerState.LOST);
    }

    void leave() {
        become(WorkerState.LEFT);
    }

    private void become(WorkerState next) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
    }

    LabWorker snapshot() {
        return new LabWorker(
                WorkerId.of(id),
                name,
                state,
                cordon,
                host,
                labels,
                clusterAddress,
                sees,
                joinedAt,
                lastSeenAt);
    }
}
