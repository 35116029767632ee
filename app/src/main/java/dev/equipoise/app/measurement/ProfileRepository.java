package dev.equipoise.app.measurement;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;

interface ProfileRepository extends JpaRepository<Profile, UUID> {

    /** Session, worker and state of an unfinished profile. */
    record Open(UUID session, UUID workerId, MeasurementState state) {}

    List<Open> findByStateInOrderByRequestedAtAscSessionAscRankAsc(
            Collection<MeasurementState> states);

    @Query(
            """
            select it from Profile it
            where it.workerId = :worker
              and (it.requestedAt < :at or (it.requestedAt = :at and it.id < :id))
            order by it.requestedAt desc, it.id desc
            """)
    List<Profile> findNewest(UUID worker, Instant at, UUID id, Limit limit);

    List<Profile> findByWorkerIdAndNetworkAndStateIn(
            UUID workerId, String network, Collection<MeasurementState> states);

    List<Profile> findBySessionOrderByRank(UUID session);

    /** Locks a session, so that concurrent reports of its workers wait for one another. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from Profile it where it.session = :session order by it.rank")
    List<Profile> findSessionForUpdate(UUID session);

    @Query("select it.session from Profile it where it.id = :id")
    Optional<UUID> findSession(UUID id);

    /** Complete profiles under one host load, newest first. */
    @Query(
            """
            select it from Profile it
            where it.workerId = :worker and it.network = :network and it.load = :load
              and it.state = COMPLETE and it.origin in :origins and it.finishedAt > :after
            order by it.finishedAt desc
            """)
    List<Profile> findComplete(
            UUID worker,
            String network,
            int load,
            Collection<ProfileOrigin> origins,
            Instant after,
            Limit limit);

    /** Complete profiles under any host load, newest first. */
    @Query(
            """
            select it from Profile it
            where it.workerId = :worker and it.network = :network
              and it.state = COMPLETE and it.origin in :origins and it.finishedAt > :after
            order by it.finishedAt desc
            """)
    List<Profile> findComplete(
            UUID worker,
            String network,
            Collection<ProfileOrigin> origins,
            Instant after,
            Limit limit);

    /**
     * The complete profile of each worker over the whole range of sizes under its lowest host load,
     * the newest of these.
     */
    @NativeQuery(
            """
            select distinct on (worker_id) * from profile
            where worker_id in (:workers) and network = :network and state = 'COMPLETE'
              and origin in ('MEASURED', 'IMPORTED')
            order by worker_id, load, finished_at desc
            """)
    List<Profile> findNewestUnderLowestLoad(Collection<UUID> workers, String network);

    /** Networks with a complete profile over the whole range of sizes, last measured first. */
    @NativeQuery(
            """
            select network from profile
            where worker_id in (:workers) and state = 'COMPLETE'
              and origin in ('MEASURED', 'IMPORTED')
            group by network order by max(finished_at) desc, network
            """)
    List<String> findMeasuredNetworks(Collection<UUID> workers);

    Optional<Profile> findFirstByNetworkOrderByRequestedAtDesc(String network);

    int countByWorkerIdAndNetwork(UUID workerId, String network);

    /** Completed and failed profiles, newest first, without those canceled on request. */
    @Query(
            """
            select it from Profile it
            where it.workerId = :worker and it.network = :network
              and (it.state = COMPLETE or it.failure is not null)
            order by it.requestedAt desc
            """)
    List<Profile> findTried(UUID worker, String network, Limit limit);
}
