package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What moves a run from state to state: its placement, and the words of its replicas. */
@Service
public class RunLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RunLifecycle.class);

    /** PostgreSQL takes 65,535 parameters; those beyond are told the next time. */
    private static final int MOST_AT_ONCE = 10_000;

    private final RunRepository runs;
    private final ReplicaRepository replicas;
    private final EpochResultRepository results;
    private final RunMeasurementsRepository measurements;
    private final TracePartRepository traces;
    private final OrderPartRepository orders;
    private final Metrics metrics;
    private final RunEvents told;
    private final Predictions predictions;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunLifecycle(
            RunRepository runs,
            ReplicaRepository replicas,
            EpochResultRepository results,
            RunMeasurementsRepository measurements,
            TracePartRepository traces,
            OrderPartRepository orders,
            Metrics metrics,
            RunEvents told,
            Predictions predictions,
            ApplicationEventPublisher events,
            Clock clock) {
        this.runs = runs;
        this.replicas = replicas;
        this.results = results;
        this.measurements = measurements;
        this.traces = traces;
        this.orders = orders;
        this.metrics = metrics;
        this.told = told;
        this.predictions = predictions;
        this.events = events;
        this.clock = clock;
    }

    /**
     * A run that waits for its workers.
     *
     * @param waiting the reason that was last noted
     */
    public record Queued(
            RunId id,
            UUID project,
            RunConfiguration configuration,
            @Nullable Waiting waiting,
            Instant queuedAt) {}

    /** What the agents of a placed run must know, peers in the order of their ranks. */
    public record Dispatch(List<WorkerId> peers, TrainingPlan plan) {

        public Dispatch {
            peers = List.copyOf(peers);
        }
    }

    /** The whole queue, oldest first. */
    @Transactional(readOnly = true)
    public List<Queued> queued() {
        return runs.findByStateOrderByQueuedAtAscPositionAsc(RunState.QUEUED).stream()
                .map(run ->
                        new Queued(
                                RunId.of(run.id()),
                                run.projectId(),
                                run.configuration(),
                                run.waiting(),
                                run.queuedAt()))
                .toList();
    }

    /** Keeps others away from the run until the transaction ends. */
    @Transactional
    public void hold(RunId id) {
        lock(id);
    }

    /** Holds the run and tells whether it still waits. */
    @Transactional
    public boolean holdQueued(RunId id) {
        return lock(id).state() == RunState.QUEUED;
    }

    /** Notes why runs wait; those that wait no more are left alone. */
    @Transactional
    public void waitFor(Collection<RunId> ids, Waiting reason) {
        List<UUID> some = ids.stream().limit(MOST_AT_ONCE).map(RunId::value).toList();
        int waiting = runs.setWaiting(some, RunState.QUEUED, reason);
        told.tell(some, RunState.QUEUED, new RunEvent.Waits(reason));
        log.info("runs wait: {} of them: {}", waiting, reason.message());
    }

    /**
     * Gives the ranks their seats.
     *
     * @param hybrid how the ranks share hidden units; null where they do not
     * @param speeds of the ranks of a virtual run that has none of its own; else none
     * @param links what those between them cost, where the run follows them; else none
     * @return the new generation
     */
    @Transactional
    public int place(
            RunId id,
            List<Seat> seats,
            @Nullable Hybrid hybrid,
            List<Execution.Speed> speeds,
            List<MeasuredLink> links) {
        Run run = lock(id);
        run.place(hybrid);
        if (!links.isEmpty() || !speeds.isEmpty()) {
            measurements.save(new RunMeasurements(run.id(), links, speeds));
        }
        for (int rank = 0; rank < seats.size(); rank++) {
            replicas.save(new Replica(run.id(), rank, seats.get(rank)));
        }
        metrics.begin(run.id());
        told.tell(run.id(), new RunEvent.State(run.state()));
        told.tell(run.id(), RunEvent.Placed.of(run.generation(), seats));
        log.info("run placed: {} generation {} shares {}", id, run.generation(), shares(seats));
        return run.generation();
    }

    /** Writes what the service has chosen into a run that is placed in the same transaction. */
    @Transactional
    public void choose(RunId id, RunConfiguration chosen) {
        lock(id).choose(chosen);
        log.info("run chosen: {}: {}", id, chosen.automatic());
    }

    /** The moment an agent takes its part. */
    @Transactional
    public Dispatch dispatch(RunId id) {
        Run run = lock(id);
        if (run.prepare()) {
            told.tell(run.id(), new RunEvent.State(run.state()));
        }
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        return new Dispatch(
                ranks.stream().map(replica -> WorkerId.of(replica.workerId())).toList(),
                plan(run, ranks, measurements.findById(measured(run))));
    }

    /** Whose measurements are those of the run: what one repeats had them before. */
    private static UUID measured(Run run) {
        return run.configuration().repeats().map(RunId::value).orElse(run.id());
    }

    private static TrainingPlan plan(
            Run run, List<Replica> ranks, Optional<RunMeasurements> measured) {
        RunConfiguration configuration = run.configuration();
        return new TrainingPlan(
                configuration.dataset(),
                configuration.architecture(),
                configuration.training().loss(),
                configuration.training().optimizer(),
                configuration.training().epochs(),
                new Observation(
                        configuration.evaluation().every(),
                        configuration.evaluation().replicas(),
                        configuration.trace(),
                        configuration.record()),
                configuration.seed(),
                new TrainingPlan.Division(
                        ranks.stream().map(Replica::share).toList(),
                        run.rounds(),
                        ranks.stream().map(it -> configuration.count(it.rank())).toList(),
                        ranks.stream().map(it -> configuration.slowDown(it.rank())).toList(),
                        configuration.heterogeneity().slowDownFrom(),
                        rebalancing(configuration, ranks),
                        run.grouping()),
                configuration.method(),
                configuration.channel(),
                measured.map(it -> it.execution(configuration.executionByRank()))
                        .orElse(configuration.executionByRank()),
                configuration.heterogeneity().links(),
                measured.map(RunMeasurements::links).orElse(List.of()));
    }

    private static TrainingPlan.@Nullable Rebalancing rebalancing(
            RunConfiguration configuration, List<Replica> ranks) {
        Double hysteresis = configuration.hysteresis();
        return hysteresis == null
                ? null
                : new TrainingPlan.Rebalancing(
                        hysteresis, ranks.stream().map(Replica::room).toList());
    }

    /**
     * Takes what a rank says of itself.
     *
     * @throws Problem {@code invalid-request} where it cannot be true of this run
     */
    @Transactional
    public void record(RunId id, int rank, AgentEvent event) {
        Run run = lock(id);
        if (run.state().isTerminal()) {
            return;
        }
        Replica replica = speaker(run, rank, event);
        switch (event) {
            case AgentEvent.ReplicaReady ready -> {
                replica.ready(ready);
                startIfAllReady(run);
            }
            case AgentEvent.RoundReached reached -> {
                bounds(run, replica).check(reached);
                spokenFor(run, replica).forEach(it -> it.reach(reached));
                tellProgress(run);
            }
            case AgentEvent.Observed observed -> {
                bounds(run, replica).check(observed);
                if (metrics.keep(run.id(), run.generation(), observed)) {
                    told.tell(run.id(), RunEvent.Metrics.of(observed));
                }
            }
            case AgentEvent.EpochFinished finished -> {
                bounds(run, replica).check(finished);
                replica.reach(
                        new AgentEvent.RoundReached(
                                finished.rank(), finished.epoch(), run.rounds()));
                keep(new EpochResult(run.id(), finished));
                measureIfWhole(run, finished.epoch());
            }
            case AgentEvent.Traced traced -> {
                bounds(run, replica).check(traced);
                keep(run, traced);
            }
            case AgentEvent.Decided decided -> {
                bounds(run, replica).check(decided);
                keep(run, decided);
            }
            case AgentEvent.Finished _ -> spokenFor(run, replica).forEach(it -> finish(run, it));
            case AgentEvent.Failed failed ->
                    end(
                            run,
                            new RunFailure(
                                    failed.cause(),
                                    failed.code(),
                                    "rank %d on %s: %s"
                                            .formatted(
                                                    replica.rank(),
                                                    replica.workerName(),
                                                    failed.message())));
            case AgentEvent.PointMeasured _,
                    AgentEvent.LinkMeasured _,
                    AgentEvent.AllReduceMeasured _ ->
                    throw Problem.of(
                            ErrorCode.INVALID_REQUEST,
                            "%s does not belong to a run".formatted(event));
        }
    }

    /** About once a second, however many ranks there are. */
    private void tellProgress(Run run) {
        if (told.mayTellProgress(run.id())) {
            replicas.findSlowest(List.of(run.id()))
                    .forEach(it ->
                            told.tell(
                                    run.id(),
                                    new RunEvent.Progressed(
                                            Progress.of(run, it.epoch(), it.round()))));
        }
    }

    /**
     * Who speaks: the rank that the worker has, or, where it has all, the one that it names.
     *
     * @throws Problem {@code invalid-request} where a worker speaks for a rank that is not its own
     */
    private Replica speaker(Run run, int rank, AgentEvent event) {
        int named = event.ofRank().orElse(rank);
        if (named != rank && !isOnOneWorker(run)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d must speak for itself, but spoke for %d".formatted(rank, named));
        }
        return replicas.findById(new Replica.Key(run.id(), named))
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.INVALID_REQUEST,
                                "the run has no rank %d".formatted(named)));
    }

    private List<Replica> spokenFor(Run run, Replica replica) {
        return isOnOneWorker(run)
                ? replicas.findByKeyRunIdOrderByKeyRank(run.id())
                : List.of(replica);
    }

    private static boolean isOnOneWorker(Run run) {
        return run.configuration().isOnOneWorker();
    }

    @Transactional
    public void fail(RunId id, RunFailure failure) {
        Run run = lock(id);
        if (!run.state().isTerminal()) {
            end(run, failure);
        }
    }

    /** Fails a run that would wait in vain; one that waits no more is left alone. */
    @Transactional
    public void giveUp(RunId id, RunFailure failure) {
        Run run = lock(id);
        if (run.state() == RunState.QUEUED) {
            end(run, failure);
        }
    }

    private void startIfAllReady(Run run) {
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        if (!ranks.stream().allMatch(Replica::isReady)) {
            return;
        }
        if (ranks.stream().map(Replica::initialParameters).distinct().count() > 1) {
            end(
                    run,
                    new RunFailure(
                            FailureCause.WORKER,
                            "replicas-differ",
                            "the replicas do not start from the same parameters"));
            return;
        }
        run.start(clock.instant());
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.info("run started: {}", run.id());
        events.publishEvent(started(run, ranks));
    }

    private static RunStarted started(Run run, List<Replica> ranks) {
        return new RunStarted(
                RunId.of(run.id()),
                run.configuration(),
                ranks.stream()
                        .map(it -> new RunStarted.Taken(WorkerId.of(it.workerId()), it.share()))
                        .toList(),
                ranks.stream()
                        .map(Replica::allReduceSeconds)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(0),
                run.hybrid());
    }

    private static Bounds bounds(Run run, Replica replica) {
        RunConfiguration configuration = run.configuration();
        boolean stays = configuration.hysteresis() == null;
        return new Bounds(
                configuration.training().epochs(),
                run.rounds(),
                stays ? replica.share() : 0,
                stays ? replica.share() : configuration.dataset().limit());
    }

    /** The primary key would refuse it as well, but as a conflict, which is worth another try. */
    private void keep(EpochResult result) {
        EpochResult.Key key = result.getId();
        if (results.existsById(key)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d has reported epoch %d already".formatted(key.rank(), key.epoch()));
        }
        results.save(result);
    }

    private void keep(Run run, AgentEvent.Traced traced) {
        if (!run.configuration().trace()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d has told a trace that nobody has asked for".formatted(traced.rank()));
        }
        traces.save(new TracePart(run.id(), traced));
    }

    private void keep(Run run, AgentEvent.Decided decided) {
        if (!run.configuration().record()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d has told decisions that nobody has asked for"
                            .formatted(decided.rank()));
        }
        orders.save(new OrderPart(run.id(), decided));
    }

    private void measureIfWhole(Run run, int epoch) {
        int ranks = run.configuration().ranks();
        if (results.countByKeyRunIdAndKeyEpoch(run.id(), epoch) == ranks) {
            int servers = run.configuration().topology().servers();
            run.measure(Measured.of(results.findWhole(run.id(), ranks, servers)));
            told.tell(
                    run.id(),
                    RunEvent.Epoch.of(
                            run.rounds(),
                            results.findByKeyRunIdAndKeyEpochOrderByKeyRank(run.id(), epoch)));
        }
    }

    /** A rank is done when it has told the figures of every epoch. */
    private void finish(Run run, Replica replica) {
        if (run.state().isTerminal()) {
            return;
        }
        int epochs = run.configuration().training().epochs();
        long told = results.countByKeyRunIdAndKeyRank(run.id(), replica.rank());
        if (told < epochs) {
            end(
                    run,
                    new RunFailure(
                            FailureCause.WORKER,
                            "incomplete-report",
                            "rank %d on %s finished, but reported %d of %d epochs"
                                    .formatted(
                                            replica.rank(), replica.workerName(), told, epochs)));
            return;
        }
        replica.finish();
        completeIfAllFinished(run);
    }

    private void completeIfAllFinished(Run run) {
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        if (ranks.stream().allMatch(Replica::isFinished)) {
            run.complete(clock.instant());
            predictions.validate(run);
            told.tell(run.id(), new RunEvent.State(run.state()));
            log.info("run completed: {}", run.id());
            events.publishEvent(new RunEnded(RunId.of(run.id()), run.state()));
        }
    }

    private void end(Run run, RunFailure failure) {
        run.fail(failure, clock.instant());
        told.tell(run.id(), new RunEvent.Failed(failure));
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.warn("run failed: {}: {} {}", run.id(), failure.code(), failure.message());
        events.publishEvent(new RunEnded(RunId.of(run.id()), run.state()));
    }

    private Run lock(RunId id) {
        return runs.findForUpdate(id.value()).orElseThrow(() -> Problem.notFound("run", id));
    }

    private static List<Integer> shares(List<Seat> seats) {
        return seats.stream().map(Seat::share).toList();
    }
}
