package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.queue.QueuedRun;
import dev.equipoise.app.queue.RuntimeHistory;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.PreemptionRefusal;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.RunFigures;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads and updates runs for the scheduler. */
@Service
public class RunQueue {

    private static final Logger log = LoggerFactory.getLogger(RunQueue.class);

    /**
     * Most runs of one update, since PostgreSQL takes 65,535 parameters. The next pass of the
     * scheduler updates the others.
     */
    private static final int MAX_AT_ONCE = 10_000;

    private static final Set<RunState> PLACED_STATES =
            EnumSet.of(RunState.PLACED, RunState.PREPARING, RunState.RUNNING);

    private final RunLocks locks;
    private final RunRepository runs;
    private final RunRankRepository runRanks;
    private final RuntimeHistory runtimes;
    private final RunEvents runEvents;
    private final RunTermination termination;
    private final Clock clock;

    RunQueue(
            RunLocks locks,
            RunRepository runs,
            RunRankRepository runRanks,
            RuntimeHistory runtimes,
            RunEvents runEvents,
            RunTermination termination,
            Clock clock) {
        this.locks = locks;
        this.runs = runs;
        this.runRanks = runRanks;
        this.runtimes = runtimes;
        this.runEvents = runEvents;
        this.termination = termination;
        this.clock = clock;
    }

    /** Returns the queue, oldest first, without runs whose restart delay has not passed. */
    @Transactional(readOnly = true)
    public List<QueuedRun> queued() {
        Map<String, Duration> runtimesByKey = runtimes.byWorkloadKey();
        Instant now = clock.instant();
        return runs.findQueued().stream()
                .filter(run -> run.isDue(now))
                .map(run -> queuedRun(run, runtimesByKey))
                .toList();
    }

    private static QueuedRun queuedRun(
            RunRepository.InQueue run, Map<String, Duration> runtimesByKey) {
        return new QueuedRun(
                RunId.of(run.id()),
                run.projectId(),
                run.configuration(),
                run.priority(),
                run.queue().waiting(),
                length(run.workloadKey(), runtimesByKey),
                run.queue().queuedAt(),
                run.previousStop());
    }

    /** Returns the number of queued runs of a project. */
    @Transactional(readOnly = true)
    public long countQueued(UUID project) {
        return runs.countByProjectIdAndState(project, RunState.QUEUED);
    }

    /**
     * Run that has its workers.
     *
     * @param priority among the runs of its project
     * @param isPreemptible whether the run may be preempted
     * @param isAsked whether it is asked to stop
     * @param refusal last preemption refusal; null if there is none
     * @param startedAt time at which all ranks of the generation were ready; null before
     * @param epochsBefore epochs that earlier generations have trained
     * @param epochSeconds seconds of an epoch, measured so far or else predicted; null if unknown,
     *     or if these are seconds of a virtual clock
     * @param length runtime estimate from placement to end, by the runtime history; null without
     *     one
     * @param progress progress of the slowest rank
     */
    public record UnderWay(
            RunId id,
            UUID project,
            int priority,
            boolean isPreemptible,
            boolean isAsked,
            @Nullable PreemptionRefusal refusal,
            Instant queuedAt,
            @Nullable Instant startedAt,
            int epochsBefore,
            @Nullable Double epochSeconds,
            @Nullable Duration length,
            Progress progress) {}

    /** Returns all runs that have their workers. */
    @Transactional(readOnly = true)
    public List<UnderWay> underWay() {
        List<Run> some = runs.findByStateIn(PLACED_STATES);
        Map<String, Duration> runtimesByKey = some.isEmpty() ? Map.of() : runtimes.byWorkloadKey();
        Function<Run, Progress> progress = Progress.of(runRanks, some);
        return some.stream()
                .map(run ->
                        new UnderWay(
                                RunId.of(run.id()),
                                run.projectId(),
                                run.priority(),
                                run.configuration().isPreemptible(),
                                run.isAskedToStop(),
                                run.refusal(),
                                run.queuedAt(),
                                run.trainingSince(),
                                run.epochsBefore(),
                                epochSeconds(run),
                                length(run.workloadKey(), runtimesByKey),
                                progress.apply(run)))
                .toList();
    }

    /** Returns the median time from placement to start of the newest completed runs. */
    @Transactional(readOnly = true)
    public Optional<Duration> medianPreparation() {
        return runtimes.preparation();
    }

    /**
     * Running run that can train with fewer ranks than it asks for.
     *
     * @param isAsked whether its ranks are asked to suspend after an epoch
     * @param workers workers of its ranks
     */
    public record Elastic(
            RunId id,
            UUID project,
            RunConfiguration configuration,
            boolean isAsked,
            List<WorkerId> workers) {

        public Elastic {
            workers = List.copyOf(workers);
        }
    }

    /** Returns the running runs that workers may leave or join. */
    @Transactional(readOnly = true)
    public List<Elastic> elastic() {
        return runs.findByStateIn(EnumSet.of(RunState.RUNNING)).stream()
                .filter(run -> run.configuration().isElastic())
                .flatMap(run -> elasticRun(run).stream())
                .toList();
    }

    /**
     * Returns empty if a rank is suspended or lost: the reconfiguration then changes the workers.
     */
    private Optional<Elastic> elasticRun(Run run) {
        List<RunRank> ranks = runRanks.findByKeyRunIdOrderByKeyRank(run.id());
        return ranks.stream().anyMatch(it -> it.stopped() != null)
                ? Optional.empty()
                : Optional.of(
                        new Elastic(
                                RunId.of(run.id()),
                                run.projectId(),
                                run.configuration(),
                                run.isReconfigurationRequested(),
                                ranks.stream().map(it -> WorkerId.of(it.workerId())).toList()));
    }

    /** Returns the runs that are asked to stop. */
    @Transactional(readOnly = true)
    public List<RunId> askedToStop() {
        return runs.findAskedToStop().stream().map(RunId::of).toList();
    }

    private static @Nullable Duration length(
            @Nullable String workloadKey, Map<String, Duration> runtimesByKey) {
        return workloadKey == null ? null : runtimesByKey.get(workloadKey);
    }

    private static @Nullable Double epochSeconds(Run run) {
        RunFigures measured = run.measured();
        Prediction prediction = run.prediction();
        if (run.configuration().isOnOneWorker()) {
            return null;
        }
        if (measured != null) {
            return measured.epochSeconds();
        }
        return prediction == null ? null : prediction.epochSeconds();
    }

    /** Fails a run that can never be placed; ignored if the run is no longer queued. */
    @Transactional
    public void giveUp(RunId id, RunFailure failure) {
        Run run = locks.lock(id);
        if (run.state() == RunState.QUEUED) {
            termination.fail(run, failure);
        }
    }

    /** Records why runs wait; ignores runs that are no longer queued. */
    @Transactional
    public void recordWaitReason(Collection<RunId> ids, WaitReason reason) {
        List<UUID> queued =
                runs.lockQueued(ids.stream().limit(MAX_AT_ONCE).map(RunId::value).toList());
        if (queued.isEmpty()) {
            return;
        }
        runs.setWaiting(queued, reason);
        runEvents.append(queued, new RunEvent.Waits(reason));
        log.info("{} queued runs wait: {}", queued.size(), reason.message());
    }
}
