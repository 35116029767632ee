package dev.equipoise.app.worker;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.time.Deadline;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A registered agent. */
@Entity
class Worker {

    private static final int MAX_DOUBLINGS = 30;

    @Id private UUID id;
    private String name;

    @Enumerated(EnumType.STRING)
    private WorkerState state;

    @Enumerated(EnumType.STRING)
    private Cordon cordon;

    @JdbcTypeCode(SqlTypes.JSON)
    private HostDescription host;

    private @Nullable String agentVersion;

    @JdbcTypeCode(SqlTypes.JSON)
    private Map<String, String> labels;

    /** Changes by administrators over the labels that the agent reports. */
    @JdbcTypeCode(SqlTypes.JSON)
    private LabelChanges labelChanges;

    private String clusterAddress;

    /** Changes only with the process of the agent, whose data socket stays open. */
    private @Nullable String dataAddress;

    /** Changes with the process of the agent as well; only queries read it. */
    @SuppressWarnings("UnusedVariable")
    private @Nullable String probeKey;

    /** Earlier measurements of its links are stale; only the queries of links read it. */
    @SuppressWarnings("UnusedVariable")
    private @Nullable Instant linksSince;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "sight_digest")
    private ClusterView clusterView;

    private @Nullable Double load;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable List<String> folders;

    private Instant joinedAt;
    private Instant lastSeenAt;
    private int failures;
    private @Nullable Instant coolingUntil;
    private String protocolVersion;
    private @Nullable Instant formingUntil;

    @JdbcTypeCode(SqlTypes.JSON)
    private PeerProbes probes;

    private @Nullable Instant removedAt;

    /** Join token with which it registered; only queries read it. */
    @SuppressWarnings("UnusedVariable")
    private @Nullable UUID joinTokenId;

    /** Last change of the state or the cordon; the database keeps all changes. */
    @SuppressWarnings("UnusedVariable")
    private Instant changedAt;

    @Version private @Nullable Long version;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Worker() {}

    /**
     * @param joinToken id of the join token that admitted it
     * @param clusterView the empty view
     */
    Worker(
            WorkerId id,
            UUID joinToken,
            Registration registration,
            ClusterView clusterView,
            Instant now) {
        this.id = id.value();
        this.joinTokenId = joinToken;
        this.state = WorkerState.JOINING;
        this.cordon = Cordon.OPEN;
        this.labelChanges = LabelChanges.NONE;
        this.joinedAt = now;
        this.changedAt = now;
        describe(registration, clusterView, now);
    }

    /**
     * Takes over what a new process of the agent reports. A drain has ended with the process; a
     * cordon stays.
     *
     * @param emptyView the empty view
     * @return the changes that make its profiles or links stale
     */
    WorkerChanges comeBack(Registration registration, ClusterView emptyView, Instant now) {
        if (state != WorkerState.JOINING) {
            become(WorkerState.JOINING, now);
        }
        if (cordon == Cordon.DRAINED) {
            cordon = Cordon.OPEN;
            changedAt = now;
        }
        WorkerChanges changes = WorkerChanges.between(snapshot(), registration);
        if (!changes.areNone()) {
            linksSince = now;
        }
        describe(registration, emptyView, now);
        return changes;
    }

    private void describe(Registration registration, ClusterView emptyView, Instant now) {
        name = registration.name();
        host = registration.host();
        agentVersion = registration.version() == null ? null : registration.version().text();
        labels = registration.labels();
        clusterAddress = registration.clusterAddress();
        dataAddress = registration.dataAddress();
        probeKey = registration.probeKey() == null ? null : registration.probeKey().text();
        folders = registration.folders();
        protocolVersion = registration.release().protocol().text();
        probes = PeerProbes.NONE;
        formingUntil = null;
        clusterView = emptyView;
        load = null;
        lastSeenAt = now;
    }

    /**
     * Changes labels, also for later processes of the agent.
     *
     * @param wanted values by name of the label; null removes the label
     * @throws Problem {@code invalid-request} as for {@link LabelChanges#with}
     */
    void label(Map<String, @Nullable String> wanted) {
        labelChanges = labelChanges.with(wanted);
    }

    /**
     * Removes the worker from the lab; only its past runs show it from now on.
     *
     * @throws Problem {@code illegal-state} unless the worker is lost or has left
     */
    void remove(Instant now) {
        if (state.isLive()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is %s: only a worker that is LOST or LEFT can be removed; stop or expel it first"
                            .formatted(id, state));
        }
        if (state != WorkerState.LEFT) {
            become(WorkerState.LEFT, now);
        }
        removedAt = now;
    }

    boolean isRemoved() {
        return removedAt != null;
    }

    /**
     * Records a heartbeat. A lost worker becomes idle: its work was taken from it.
     *
     * @return whether the other workers must learn of a new address or state
     */
    boolean hear(Heartbeat heartbeat, Instant now) {
        WorkerState before = state;
        boolean moved = !clusterAddress.equals(heartbeat.clusterAddress());
        clusterAddress = heartbeat.clusterAddress();
        load = heartbeat.load();
        if (heartbeat.folders() != null) {
            folders = heartbeat.folders();
        }
        lastSeenAt = now;
        if (heartbeat.draining()) {
            if (state != WorkerState.DRAINING) {
                become(WorkerState.DRAINING, now);
            }
        } else if (state == WorkerState.JOINING || state == WorkerState.LOST) {
            become(WorkerState.IDLE, now);
        }
        return moved || before != state;
    }

    /**
     * Bounds the time to join the cluster of the others, if the worker comes or comes back.
     *
     * @param end after which workers that it does not see count as unreachable
     */
    void awaitCluster(Instant end) {
        if (state == WorkerState.JOINING || state == WorkerState.LOST) {
            formingUntil = end;
        }
    }

    PeerProbes probes() {
        return probes;
    }

    void probe(PeerProbes next) {
        probes = next;
    }

    boolean sees(String digest) {
        return clusterView.digest().equals(digest);
    }

    void see(ClusterView now) {
        clusterView = now;
    }

    Instant lastSeenAt() {
        return lastSeenAt;
    }

    boolean hasLeft() {
        return state == WorkerState.LEFT;
    }

    /**
     * Sets the cordon, also of a lost worker.
     *
     * @return whether the cordon has changed
     * @throws Problem {@code illegal-state} if the worker has left
     */
    boolean cordon(Cordon wanted, Instant now) {
        if (state == WorkerState.LEFT) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is LEFT and cannot become %s".formatted(id, wanted));
        }
        if (cordon == wanted) {
            return false;
        }
        cordon = wanted;
        changedAt = now;
        return true;
    }

    /** Whether the next heartbeat reply asks it to leave: it is drained and idle. */
    boolean isDismissed() {
        return cordon == Cordon.DRAINED && state == WorkerState.IDLE;
    }

    /** Whether it may get work at once. */
    boolean isFree(Instant now, Duration longestCooling) {
        return cordon == Cordon.OPEN
                && state == WorkerState.IDLE
                && (coolingUntil == null || !Deadline.isAhead(coolingUntil, longestCooling, now));
    }

    /**
     * Starts a cooldown after a failure. The cooldown doubles with each failure in a row.
     *
     * @param first cooldown after the first failure
     * @param longest upper limit
     */
    void coolDown(Instant now, Duration first, Duration longest) {
        failures++;
        Duration pause = first.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        coolingUntil = now.plus(pause.compareTo(longest) < 0 ? pause : longest);
    }

    /** Ends the cooldown and resets the count of failures: the worker has completed its work. */
    void succeed() {
        failures = 0;
        coolingUntil = null;
    }

    void occupy(Instant now) {
        become(WorkerState.BUSY, now);
    }

    /** Makes a busy worker idle; a draining, lost or departed one keeps its state. */
    void release(Instant now) {
        if (state == WorkerState.BUSY) {
            become(WorkerState.IDLE, now);
        }
    }

    void lose(Instant now) {
        become(WorkerState.LOST, now);
    }

    void leave(Instant now) {
        become(WorkerState.LEFT, now);
    }

    private void become(WorkerState next, Instant now) {
        if (!state.mayBecome(next)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Worker %s is %s and cannot become %s".formatted(id, state, next));
        }
        state = next;
        changedAt = now;
    }

    LabWorker snapshot() {
        return snapshot(clusterView.workers());
    }

    /**
     * Returns the snapshot with a cluster view that was just reported, which saves reading it.
     *
     * @param sees the reported cluster view
     */
    LabWorker snapshot(Set<WorkerId> sees) {
        return new LabWorker(
                WorkerId.of(id),
                name,
                state,
                cordon,
                host,
                agentVersion == null ? null : SoftwareVersion.of(agentVersion),
                labelChanges.over(labels),
                clusterAddress,
                sees,
                load,
                coolingUntil,
                joinedAt,
                lastSeenAt,
                ProtocolVersion.of(protocolVersion),
                dataAddress,
                formingUntil,
                probes.peers(),
                folders);
    }
}
