package dev.equipoise.app.worker;

import dev.equipoise.app.time.Deadline;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a worker.
 *
 * @param id id of the worker
 * @param name display name
 * @param state state of the worker
 * @param cordon whether an administrator excludes it from new work
 * @param host description of its host
 * @param agentVersion product version of the agent; null if the agent does not report it
 * @param labels labels by name
 * @param clusterAddress address of its cluster member, as {@code host:port}
 * @param sees its cluster view
 * @param load run-queue length of its host: threads on a core or ready for one, averaged over the
 *     minute before {@code lastSeenAt}; null if the operating system does not report it
 * @param coolingUntil end of its cooldown; null if it has none
 * @param joinedAt time at which it joined the lab
 * @param lastSeenAt time of the last heartbeat
 * @param protocolVersion version of the protocol that the agent speaks
 * @param dataAddress host:port at which the other ranks of a run reach it; null if it does not
 *     report it
 * @param formingUntil until when it may still be joining the cluster of the others; null after that
 * @param probes whether it reaches the data addresses of some other workers
 * @param folders names of the data folders of users that it has, sorted; null if its agent does not
 *     report them
 */
@Schema(name = "Worker")
public record LabWorker(
        WorkerId id,
        String name,
        WorkerState state,
        Cordon cordon,
        HostDescription host,
        @Nullable SoftwareVersion agentVersion,
        Map<String, String> labels,
        String clusterAddress,
        Set<WorkerId> sees,
        @Nullable Double load,
        @Nullable Instant coolingUntil,
        Instant joinedAt,
        Instant lastSeenAt,
        ProtocolVersion protocolVersion,
        @Nullable String dataAddress,
        @Nullable Instant formingUntil,
        List<PeerProbe> probes,
        @Nullable List<String> folders) {

    public LabWorker {
        labels = Map.copyOf(labels);
        sees = Set.copyOf(sees);
        probes = List.copyOf(probes);
        folders = folders == null ? null : List.copyOf(folders);
    }

    /**
     * Creates a worker of this protocol version that may still be joining the cluster, without
     * agent version, load, cooldown, data address, probes and data folders.
     */
    public LabWorker(
            WorkerId id,
            String name,
            WorkerState state,
            Cordon cordon,
            HostDescription host,
            Map<String, String> labels,
            String clusterAddress,
            Set<WorkerId> sees,
            Instant joinedAt,
            Instant lastSeenAt) {
        this(
                id,
                name,
                state,
                cordon,
                host,
                null,
                labels,
                clusterAddress,
                sees,
                null,
                null,
                joinedAt,
                lastSeenAt,
                ProtocolVersion.OWN,
                null,
                joinedAt,
                List.of(),
                null);
    }

    /** The snapshot without its cooldown if that has ended by {@code now}. */
    LabWorker at(Instant now, Duration longestCooling) {
        return coolingUntil == null || Deadline.isAhead(coolingUntil, longestCooling, now)
                ? this
                : new LabWorker(
                        id,
                        name,
                        state,
                        cordon,
                        host,
                        agentVersion,
                        labels,
                        clusterAddress,
                        sees,
                        load,
                        null,
                        joinedAt,
                        lastSeenAt,
                        protocolVersion,
                        dataAddress,
                        formingUntil,
                        probes,
                        folders);
    }

    /** The snapshot without the time to join the cluster if that has ended by {@code now}. */
    LabWorker formedAt(Instant now, Duration clusterForming) {
        return formingUntil == null || Deadline.isAhead(formingUntil, clusterForming, now)
                ? this
                : new LabWorker(
                        id,
                        name,
                        state,
                        cordon,
                        host,
                        agentVersion,
                        labels,
                        clusterAddress,
                        sees,
                        load,
                        coolingUntil,
                        joinedAt,
                        lastSeenAt,
                        protocolVersion,
                        dataAddress,
                        null,
                        probes,
                        folders);
    }

    /** Whether it may get work, now or after its current work. */
    public boolean takesWork() {
        return isStaying() && cordon == Cordon.OPEN;
    }

    /** Whether its cordon alone excludes it from work. */
    public boolean wouldTakeWork() {
        return isStaying() && cordon != Cordon.OPEN;
    }

    /** The reason why it gets no work: its cordon if that alone excludes it, else its state. */
    public Object standing() {
        return wouldTakeWork() ? cordon : state;
    }

    private boolean isStaying() {
        return state.isLive() && state != WorkerState.DRAINING;
    }

    /** Whether it has every label of a selector. */
    public boolean matches(Map<String, String> selector) {
        return labels.entrySet().containsAll(selector.entrySet());
    }

    /**
     * Whether it may have the data of a run: it has the folder, or does not report its folders.
     *
     * @param folder null if the data need none
     */
    public boolean mayHave(@Nullable String folder) {
        return folder == null || folders == null || folders.contains(folder);
    }
}
