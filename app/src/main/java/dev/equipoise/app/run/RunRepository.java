package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.protocol.RunId;
import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface RunRepository extends JpaRepository<Run, UUID> {

    /** The reports of a run's ranks come at once; each takes its turn. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select run from Run run where run.id = :id")
    Optional<Run> findForUpdate(UUID id);

    @Query("select run.projectId from Run run where run.id = :id")
    Optional<UUID> findProject(UUID id);

    /** Does not wait: who holds a run changes it, or places it. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select id from run where id = :id and state = 'QUEUED' for update skip locked
                    """)
    Optional<UUID> claim(UUID id);

    long countByExperimentId(UUID experimentId);

    long countByProjectIdAndState(UUID projectId, RunState state);

    /** Keeps others from queueing runs of the project until the transaction ends. */
    @Query(
            nativeQuery = true,
            value = "select cast(pg_advisory_xact_lock(hashtextextended(:project, 0)) as text)")
    String lockQueueOf(String project);

    /** What is needed of a waiting run to decide on it. */
    record InQueue(
            UUID id,
            UUID projectId,
            RunConfiguration configuration,
            int priority,
            @Nullable Waiting waiting,
            @Nullable String likeness,
            Instant queuedAt,
            @Nullable UUID preemptedBy,
            @Nullable Integer checkpointEpoch,
            @Nullable RunFailure setback,
            @Nullable Instant interruptedAt,
            @Nullable Instant notBefore) {

        boolean isDue(Instant now) {
            return notBefore == null || !notBefore.isAfter(now);
        }

        @Nullable Interruption interruption() {
            return interruptedAt == null
                    ? null
                    : new Interruption(
                            preemptedBy == null ? null : RunId.of(preemptedBy),
                            setback,
                            checkpointEpoch == null ? 0 : checkpointEpoch,
                            interruptedAt);
        }
    }

    /** Of runs that are asked to make room. */
    @Query(nativeQuery = true, value = "select id from run where preempt_for is not null")
    List<UUID> findAskedToStop();

    @Query("select run.id from Run run where run.regroupBy <= :now")
    List<UUID> findOverdue(Instant now);

    @Query(
            """
            select run.id from Run run
            where run.state not in (COMPLETED, FAILED, CANCELLED)
            """)
    List<UUID> findNotOver();

    /**
     * The runs of a state that are not over.
     *
     * @param paused those that are not to be tried again yet
     * @param since when the first of them began to wait
     */
    record OfState(RunState state, long runs, long paused, Instant since) {}

    @Query(
            """
            select run.state, count(*),
                   sum(case when run.notBefore > :now then 1 else 0 end),
                   min(coalesce(run.interruptedAt, run.queuedAt))
            from Run run
            where run.state not in (COMPLETED, FAILED, CANCELLED)
            group by run.state
            """)
    List<OfState> countOpen(Instant now);

    List<Run> findByStateIn(Collection<RunState> states);

    List<InQueue> findByStateOrderByQueuedAtAscPositionAsc(RunState state);

    /** All at once, as a whole matrix may wait for the same. */
    @Modifying
    @Query(
            """
            update versioned Run run set run.waiting = :reason
            where run.id in :ids and run.state = :state
            """)
    int setWaiting(Collection<UUID> ids, RunState state, Waiting reason);

    @Query(
            """
            select run from Run run
            where (:everywhere = true or run.projectId in :projects) and run.state = :state
            order by run.queuedAt desc, run.position asc
            """)
    List<Run> findNewest(
            boolean everywhere, Collection<UUID> projects, RunState state, Limit limit);

    List<Run> findByExperimentIdAndExperimentVersionOrderByQueuedAtDescPositionAsc(
            UUID experiment, int version, Limit limit);

    /** Of each of these configurations the one queued last of the runs that completed. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select distinct on (run.position) run.* from run
                    where run.experiment_id = :experiment and run.experiment_version = :version
                    and run.position in (:positions) and run.state = 'COMPLETED'
                    order by run.position, run.queued_at desc, run.id
                    """)
    List<Run> findNewestCompleted(UUID experiment, int version, Collection<Integer> positions);
}
