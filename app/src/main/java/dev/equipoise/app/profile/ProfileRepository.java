package dev.equipoise.app.profile;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface ProfileRepository extends JpaRepository<Profile, UUID> {

    /** What is needed of a profile to hand it to its worker. */
    record Open(UUID session, UUID workerId, ProfileState state) {}

    List<Open> findByStateInOrderByRequestedAtAscSessionAscRankAsc(Collection<ProfileState> states);

    @Query(
            """
            select it from Profile it
            where it.workerId = :worker
              and (it.requestedAt < :at or (it.requestedAt = :at and it.id < :id))
            order by it.requestedAt desc, it.id desc
            """)
    List<Profile> findNewest(UUID worker, Instant at, UUID id, Limit limit);

    List<Profile> findByWorkerIdAndNetworkAndStateIn(
            UUID workerId, String network, Collection<ProfileState> states);

    @Query(
            "select distinct it.session from Profile it where it.workerId = :worker and it.state in :states")
    List<UUID> findSessions(UUID worker, Collection<ProfileState> states);

    List<Profile> findBySessionOrderByRank(UUID session);

    /** The reports of companions come at once; each takes its turn. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from Profile it where it.session = :session order by it.rank")
    List<Profile> findSessionForUpdate(UUID session);

    @Query("select it.session from Profile it where it.id = :id")
    Optional<UUID> findSession(UUID id);

    /** Complete ones, the newest first. */
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

    /** The same in whatever company. */
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

    Optional<Profile> findFirstByNetworkOrderByRequestedAtDesc(String network);

    int countByWorkerIdAndNetwork(UUID workerId, String network);

    /** Those that succeeded or failed, the newest first; who gave one up says nothing of either. */
    @Query(
            """
            select it from Profile it
            where it.workerId = :worker and it.network = :network
              and (it.state = COMPLETE or it.failure is not null)
            order by it.requestedAt desc
            """)
    List<Profile> findTried(UUID worker, String network, Limit limit);
}
