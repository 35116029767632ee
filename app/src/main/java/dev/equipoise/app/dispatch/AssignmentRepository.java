package dev.equipoise.app.dispatch;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

interface AssignmentRepository extends JpaRepository<WorkerAssignment, UUID> {

    /** The run of an assignment; empty if it belongs to no run. */
    @Query("select it.runId from WorkerAssignment it where it.id = :id and it.workerId = :worker")
    Optional<UUID> findRun(UUID id, UUID worker);

    /** The work of an assignment: a run, a profile or a link measurement. */
    record Work(@Nullable UUID run, @Nullable UUID profile, @Nullable UUID links, int rank) {}

    /** Reads no entity, so that a lock which follows reads its newest state. */
    @Query(
            """
            select it.runId, it.profileId, it.linkMeasurementId, it.placeOfWorker
            from WorkerAssignment it
            where it.id = :id and it.workerId = :worker
            """)
    Optional<Work> findWork(UUID id, UUID worker);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from WorkerAssignment it where it.id = :id and it.workerId = :worker")
    Optional<WorkerAssignment> findForUpdate(UUID id, UUID worker);

    List<WorkerAssignment> findByWorkerIdAndStateIn(
            UUID worker, Collection<AssignmentState> states);

    /** The assignments of some profiles or link measurements. */
    @Query(
            """
            select it from WorkerAssignment it
            where (it.profileId in :measurements or it.linkMeasurementId in :measurements)
              and it.state in :states
            """)
    List<WorkerAssignment> findMeasuring(
            Collection<UUID> measurements, Collection<AssignmentState> states);

    List<WorkerAssignment> findByRunId(UUID run);

    /** The assignments of a worker that are in some states or have ended since a time. */
    @Query(
            """
            select it from WorkerAssignment it
            where it.workerId = :worker and (it.state in :states or it.endedAt >= :since)
            """)
    List<WorkerAssignment> findSince(
            UUID worker, Collection<AssignmentState> states, Instant since);

    /** The workers whose newest assignment was a profile or a link measurement. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select worker_id
                    from (select distinct on (worker_id) worker_id, run_id from assignment
                          where worker_id in (:workers)
                          order by worker_id, created_at desc) as newest
                    where run_id is null
                    """)
    List<UUID> findMeasuredLast(Collection<UUID> workers);

    /** The state is a literal, so that the partial index of open assignments applies. */
    @Query(nativeQuery = true, value = "select worker_id from assignment where state = 'OFFERED'")
    List<UUID> findOffered();

    @Query(
            nativeQuery = true,
            value =
                    """
                    select count(*) from assignment
                    join run on run.id = assignment.run_id
                    where assignment.state in ('OFFERED', 'LEASED', 'PARKED')
                      and run.project_id = :project
                    """)
    int countHeld(UUID project);

    @Query(
            """
            select it.workerId, it.runId, it.createdAt from WorkerAssignment it
            where it.state in :states
            """)
    List<BusyWorker> findAtWork(Collection<AssignmentState> states);
}
