package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.queue.PreviousStop;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface RunRepository extends JpaRepository<Run, UUID> {

    @Query("select run.projectId from Run run where run.id = :id")
    Optional<UUID> findProject(UUID id);

    /**
     * Locks a queued run; skips a locked one without waiting, since its holder changes or places
     * it.
     */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select id from run where id = :id and state = 'QUEUED' for update skip locked
                    """)
    Optional<UUID> claim(UUID id);

    /** Returns a run of a project, which nobody can lock or remove until the transaction ends. */
    @Query(
            nativeQuery = true,
            value = "select id from run where id = :id and project_id = :project for share")
    Optional<UUID> holdForOthers(UUID id, UUID project);

    /** Returns the open runs that begin with the model of a run. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select id from run
                    where configuration -> 'initial' ->> 'run' = :source and ended_at is null
                    order by queued_at
                    """)
    List<UUID> findBeginningWith(String source);

    @Query("select count(*) from Run run where run.origin.experimentId = :experiment")
    long countByExperiment(UUID experiment);

    long countByProjectIdAndState(UUID projectId, RunState state);

    long countByProjectId(UUID projectId);

    long countByProjectIdAndStateNotIn(UUID projectId, Collection<RunState> states);

    /** Deletes the runs of a project; the database deletes with them what ranks have reported. */
    @Modifying
    @Query("delete from Run run where run.projectId = :project")
    void deleteAllOf(UUID project);

    /** Locks the queue of a project against new runs until the transaction ends. */
    @Query(
            nativeQuery = true,
            value = "select cast(pg_advisory_xact_lock(hashtextextended(:project, 0)) as text)")
    String lockQueueOf(String project);

    /**
     * Columns of a queued run that the scheduler needs.
     *
     * @param preemptedBy run of the same project for which it was preempted last; null if there was
     *     none, or it is of another project, whose ids readers of the run may not see
     */
    record InQueue(
            UUID id,
            UUID projectId,
            RunConfiguration configuration,
            int priority,
            QueueState queue,
            @Nullable String workloadKey,
            @Nullable UUID preemptedBy,
            @Nullable RunFailure restartFailure) {

        boolean isDue(Instant now) {
            return queue.isDue(now);
        }

        @Nullable PreviousStop previousStop() {
            return queue.interruptedAt() == null
                    ? null
                    : new PreviousStop(
                            preemptedBy == null ? null : RunId.of(preemptedBy),
                            restartFailure,
                            Objects.requireNonNullElse(queue.checkpointEpoch(), 0),
                            queue.interruptedAt());
        }
    }

    /** Locks those of some runs that are queued until the transaction ends, oldest first. */
    @Query(
            nativeQuery = true,
            value =
                    """
                    select id from run where id in (:ids) and state = 'QUEUED'
                    order by queued_at, position for update
                    """)
    List<UUID> lockQueued(Collection<UUID> ids);

    /** Returns the runs that are asked to stop. */
    @Query(nativeQuery = true, value = "select id from run where preempt_for is not null")
    List<UUID> findAskedToStop();

    /**
     * Returns the runs whose grace period has ended.
     *
     * @param latest latest end of a grace period; a later one was set before the clock was set back
     */
    @Query(
            """
            select run.id from Run run
            where run.suspension.gracePeriodEnd <= :now or run.suspension.gracePeriodEnd > :latest
            """)
    List<UUID> findOverdue(Instant now, Instant latest);

    @Query(
            """
            select run.id from Run run
            where run.state not in (COMPLETED, FAILED, CANCELLED)
            """)
    List<UUID> findNotOver();

    /**
     * Number of open runs in one state.
     *
     * @param paused runs whose restart delay has not passed
     * @param since time at which the first of them began to wait
     */
    record StateCount(RunState state, long runs, long paused, Instant since) {}

    @Query(
            """
            select run.state, count(*),
                   sum(case when run.queue.notBefore > :now and run.queue.interruptedAt <= :now
                       then 1 else 0 end),
                   min(coalesce(run.queue.interruptedAt, run.queue.queuedAt))
            from Run run
            where run.state not in (COMPLETED, FAILED, CANCELLED)
            group by run.state
            """)
    List<StateCount> countOpen(Instant now);

    List<Run> findByStateIn(Collection<RunState> states);

    /** Returns the queued runs, oldest first. */
    @Query(
            """
            select run.id, run.projectId, run.configuration, run.priority, run.queue,
                   run.workloadKey, other.id, run.restarts.failure
            from Run run
            left join Run other
                on other.id = run.preemption.preemptedBy and other.projectId = run.projectId
            where run.state = QUEUED
            order by run.queue.queuedAt, run.origin.position
            """)
    List<InQueue> findQueued();

    /**
     * Sets the wait reason of many locked runs at once, since all runs of a parameter grid may have
     * the same.
     */
    @Modifying
    @Query("update versioned Run run set run.queue.waiting = :reason where run.id in :ids")
    void setWaiting(Collection<UUID> ids, WaitReason reason);

    @Query(
            """
            select run from Run run
            where (:everywhere = true or run.projectId in :projects) and run.state = :state
            order by run.queue.queuedAt desc, run.origin.position asc
            """)
    List<Run> findNewest(
            boolean everywhere, Collection<UUID> projects, RunState state, Limit limit);

    /** Returns the runs of a version of an experiment, newest first. */
    @Query(
            """
            select run from Run run
            where run.origin.experimentId = :experiment and run.origin.experimentVersion = :version
            order by run.queue.queuedAt desc, run.origin.position asc
            """)
    List<Run> findOfVersion(UUID experiment, int version, Limit limit);

    /** Returns the completed run queued last of each of some configurations. */
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
