package dev.equipoise.app.schedule;

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

    /** The run of an assignment; none for another. */
    @Query("select it.runId from WorkerAssignment it where it.id = :id and it.workerId = :worker")
    Optional<UUID> findRun(UUID id, UUID worker);

    /** The profile that an assignment is of; none for others. */
    @Query(
            """
            select it.profileId from WorkerAssignment it
            where it.id = :id and it.workerId = :worker
            """)
    Optional<UUID> findProfile(UUID id, UUID worker);

    /** The measurement of links that an assignment is of; none for others. */
    @Query(
            """
            select it.linkMeasurementId from WorkerAssignment it
            where it.id = :id and it.workerId = :worker
            """)
    Optional<UUID> findLinkMeasurement(UUID id, UUID worker);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select it from WorkerAssignment it where it.id = :id and it.workerId = :worker")
    Optional<WorkerAssignment> findForUpdate(UUID id, UUID worker);

    List<WorkerAssignment> findByWorkerIdAndStateIn(
            UUID worker, Collection<AssignmentState> states);

    List<WorkerAssignment> findByLinkMeasurementIdAndStateIn(
            UUID measurement, Collection<AssignmentState> states);

    List<WorkerAssignment> findByProfileIdInAndStateIn(
            Collection<UUID> profiles, Collection<AssignmentState> states);

    List<WorkerAssignment> findByRunId(UUID run);

    /** Those of the workers whose newest work was no run. */
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

    /** The state stands in the query, so that the index of open ones serves it. */
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

    /** A worker that is at work, and since when. */
    record AtWork(UUID worker, @Nullable UUID run, Instant since) {}

    @Query(
            """
            select it.workerId, it.runId, it.createdAt from WorkerAssignment it
            where it.state in :states
            """)
    List<AtWork> findAtWork(Collection<AssignmentState> states);
}
