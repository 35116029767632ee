package dev.equipoise.app.worker;

import dev.equipoise.protocol.ProbeKey;
import dev.equipoise.protocol.ProbeRequest;
import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface WorkerRepository extends JpaRepository<Worker, UUID> {

    /** Locks the row of a worker. Heartbeats and other changes wait for one another. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from Worker it where it.id = :id")
    Optional<Worker> findForUpdate(UUID id);

    /** Number of workers in one state. */
    record OfState(WorkerState state, long workers) {}

    @Query("select it.state, count(*) from Worker it where it.state <> LEFT group by it.state")
    List<OfState> countByState();

    /** Last heartbeat of a worker. */
    record Heard(UUID id, Instant lastSeenAt) {}

    @Query("select it.id, it.lastSeenAt from Worker it where it.id in :ids")
    List<Heard> findHeard(Collection<UUID> ids);

    /** Data address of one worker. */
    record DataAddress(UUID id, String address) {}

    @Query(
            """
            select it.id, it.dataAddress from Worker it
            where it.id in :ids and it.dataAddress is not null
            """)
    List<DataAddress> findDataAddresses(Collection<UUID> ids);

    /** Probe key of one worker. */
    record Keyed(UUID id, String key) {}

    @Query(
            """
            select it.id, it.probeKey from Worker it
            where it.id in :ids and it.probeKey is not null
            """)
    List<Keyed> findProbeKeys(Collection<UUID> ids);

    /** Adds to requests the keys of the workers that are to answer. */
    default List<ProbeRequest> withKeys(List<ProbeRequest> requests) {
        if (requests.isEmpty()) {
            return requests;
        }
        Map<UUID, ProbeKey> keys =
                findProbeKeys(requests.stream().map(it -> it.worker().value()).toList()).stream()
                        .collect(Collectors.toMap(Keyed::id, it -> ProbeKey.of(it.key())));
        return requests.stream()
                .map(it ->
                        new ProbeRequest(it.worker(), it.address(), keys.get(it.worker().value())))
                .toList();
    }

    /** Name of one worker, and the protocol version of its agent. */
    record Named(UUID id, String name, String protocol) {}

    @Query("select it.id, it.name, it.protocolVersion from Worker it where it.id in :ids")
    List<Named> findNames(Collection<UUID> ids);

    /** The workers that a join token admitted and that have not been removed, oldest first. */
    @Query(
            """
            select it.id from Worker it where it.joinTokenId = :token and it.removedAt is null
            order by it.joinedAt, it.id
            """)
    List<UUID> findAdmitted(UUID token);

    List<Worker> findByStateInOrderByJoinedAt(Collection<WorkerState> states);

    @Query(
            """
            select it from Worker it
            where it.state in :states and it.removedAt is null
              and (it.joinedAt < :at or (it.joinedAt = :at and it.id < :id))
            order by it.joinedAt desc, it.id desc
            """)
    List<Worker> findNewest(Collection<WorkerState> states, Instant at, UUID id, Limit limit);

    List<Worker> findByStateAndLastSeenAtBefore(WorkerState state, Instant at);

    @Query(
            """
            select it from Worker it
            where it.state in :states and it.lastSeenAt not between :from and :until
            """)
    List<Worker> findUnheard(Collection<WorkerState> states, Instant from, Instant until);
}
