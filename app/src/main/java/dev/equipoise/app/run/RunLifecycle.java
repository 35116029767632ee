package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
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

    private final RunRepository runs;
    private final ReplicaRepository replicas;
    private final EpochResultRepository results;
    private final RunMeasurementsRepository measurements;
    private final TracePartRepository traces;
    private final OrderPartRepository orders;
    private final Metrics metrics;
    private final RunEvents told;
    private final Checkpoints checkpoints;
    private final ApplicationEventPublisher events;
    private final RunRecovery recovery;
    private final Endings endings;
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
            Checkpoints checkpoints,
            ApplicationEventPublisher events,
            RunRecovery recovery,
            Endings endings,
            Clock clock) {
        this.runs = runs;
        this.replicas = replicas;
        this.results = results;
        this.measurements = measurements;
        this.traces = traces;
        this.orders = orders;
        this.metrics = metrics;
        this.told = told;
        this.checkpoints = checkpoints;
        this.events = events;
        this.recovery = recovery;
        this.endings = endings;
        this.clock = clock;
    }

    /**
     * What the agents of a placed run must know.
     *
     * @param peers in the order of their ranks
     * @param checkpointing null where they never stop before the end
     * @param continuation null where they begin with a checkpoint, or at the beginning
     */
    public record Dispatch(
            List<WorkerId> peers,
            TrainingPlan plan,
            @Nullable Checkpointing checkpointing,
            @Nullable Continuation continuation) {

        public Dispatch {
            peers = List.copyOf(peers);
        }
    }

    /** The runs that are there and not over. */
    @Transactional(readOnly = true)
    public Set<RunId> notOver() {
        return runs.findNotOver().stream().map(RunId::of).collect(Collectors.toSet());
    }

    /** Keeps others away from the run until the transaction ends. */
    @Transactional
    public void hold(RunId id) {
        lock(id);
    }

    /**
     * Holds a run that waits, so that nobody else places it.
     *
     * @return false where it waits no more, or somebody else holds it at this moment
     */
    @Transactional
    public boolean claim(RunId id) {
        return runs.claim(id.value()).isPresent();
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
        Instant now = clock.instant();
        run.place(seats.size(), hybrid, now);
        RunMarks.mark(run);
        if (!links.isEmpty() || !speeds.isEmpty()) {
            measurements.save(new RunMeasurements(run.id(), links, speeds));
        }
        seat(run, seats);
        metrics.begin(run.id());
        told.tell(run.id(), new RunEvent.State(run.state()));
        told.tell(run.id(), RunEvent.Placed.of(run.generation(), seats));
        log.info("run placed: {} generation {} shares {}", id, run.generation(), shares(seats));
        events.publishEvent(
                new RunPlaced(id, run.generation(), Duration.between(run.waitingSince(), now)));
        return run.generation();
    }

    /** In the place of those who had the ranks before; it is as far as they were. */
    private void seat(Run run, List<Seat> seats) {
        int before = run.epochsBefore();
        if (run.generation() > 1) {
            replicas.removeOf(run.id());
        }
        for (int rank = 0; rank < seats.size(); rank++) {
            var replica = new Replica(run.id(), rank, rank, seats.get(rank));
            if (before > 0) {
                replica.reach(new AgentEvent.RoundReached(rank, before, run.rounds()));
            }
            replicas.save(replica);
        }
    }

    /**
     * Gives the ranks that are left new places, in a new generation.
     *
     * @param places which of the definition's ranks they are
     * @return the new generation
     */
    @Transactional
    public int regroup(RunId id, List<Seat> seats, List<Integer> places, Resumed resumed) {
        Run run = lock(id);
        recovery.regroup(run, seats, places, resumed);
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
                plan(run, ranks, measurements.findById(measured(run))),
                checkpointing(run),
                continuation(run));
    }

    /** Who goes on with what is in memory begins with no checkpoint. */
    private @Nullable Checkpointing checkpointing(Run run) {
        RunConfiguration configuration = run.configuration();
        if (!configuration.isStoppable()) {
            return null;
        }
        int after = run.resumption() == null ? run.epochsBefore() : 0;
        // Of one that is not there any more the ranks say so themselves, as they do not find it.
        int parts =
                checkpoints
                        .find(RunId.of(run.id()), after)
                        .map(Checkpoints.Kept::ranks)
                        .orElse(run.ranks());
        return new Checkpointing(after, after == 0 ? 0 : parts, configuration.checkpoint().every());
    }

    private static @Nullable Continuation continuation(Run run) {
        Resumed resumed = run.resumption();
        return resumed == null ? null : resumed.continuation();
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
                        ranks.stream().map(it -> configuration.count(it.place())).toList(),
                        ranks.stream().map(it -> configuration.slowDown(it.place())).toList(),
                        configuration.heterogeneity().slowDownFrom(),
                        rebalancing(configuration, ranks),
                        run.grouping()),
                configuration.method(),
                configuration.channel(),
                measured.map(it -> it.execution(configuration.executionByRank()))
                        .orElse(configuration.executionByRank()),
                limits(configuration, ranks),
                measured.map(RunMeasurements::links).orElse(List.of()));
    }

    /** Those of links between ranks that are there, by the numbers that these have now. */
    private static List<LinkLimit> limits(RunConfiguration configuration, List<Replica> ranks) {
        List<Integer> places = ranks.stream().map(Replica::place).toList();
        return configuration.heterogeneity().links().stream()
                .flatMap(it -> it.among(places).stream())
                .toList();
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
                bounds(run, replica, finished.epoch()).check(finished);
                replica.reach(
                        new AgentEvent.RoundReached(
                                finished.rank(), finished.epoch(), run.rounds()));
                keep(new EpochResult(run.id(), run.generation(), run.ranks(), finished));
                measureIfWhole(run, finished.epoch());
                events.publishEvent(new EpochTold(id, finished, isOnOneWorker(run)));
            }
            case AgentEvent.Traced traced -> {
                bounds(run, replica).check(traced);
                keep(run, traced);
            }
            case AgentEvent.Decided decided -> {
                bounds(run, replica).check(decided);
                keep(run, decided);
            }
            case AgentEvent.Noted noted ->
                    told.note(
                            run.id(),
                            new RunEvent.Noted(replica.rank(), replica.workerName(), noted.text()));
            case AgentEvent.Preempted preempted -> {
                bounds(run, replica).check(preempted);
                stop(run, replica, preempted.epoch());
            }
            case AgentEvent.Interrupted interrupted -> {
                checkHeld(run, replica, interrupted);
                recovery.stand(
                        run,
                        replica,
                        new Standstill.Waiting(interrupted.held(), interrupted.missing()));
            }
            case AgentEvent.Finished _ -> spokenFor(run, replica).forEach(it -> finish(run, it));
            case AgentEvent.Failed failed ->
                    lose(
                            run,
                            replica,
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
                    AgentEvent.AllReduceMeasured _,
                    AgentEvent.Unknown _ ->
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

    /** A run has lost a rank; one that waits, or is over, is left alone. */
    @Transactional
    public void lose(RunId id, int rank, RunFailure failure) {
        Run run = lock(id);
        if (run.state() != RunState.QUEUED && !run.state().isTerminal()) {
            replicas.findById(new Replica.Key(run.id(), rank))
                    .ifPresent(it -> lose(run, it, failure));
        }
    }

    /** The others may have been ready before it, and have begun. */
    private void lose(Run run, Replica replica, RunFailure failure) {
        recovery.lose(run, replica, failure);
        if (run.state() == RunState.PREPARING && run.configuration().carriesOn()) {
            startIfAllReady(run);
        }
    }

    /** The runs of which ranks have stood still for long enough. */
    @Transactional(readOnly = true)
    public List<RunId> overdue() {
        return runs.findOverdue(clock.instant()).stream().map(RunId::of).toList();
    }

    /** Those of its ranks that stand still wait for the others no more. */
    @Transactional
    public void regroupOverdue(RunId id) {
        Run run = lock(id);
        Instant until = run.regroupBy();
        if (until != null && !until.isAfter(clock.instant())) {
            recovery.regroup(run, true);
        }
    }

    /** Fails a run that would wait in vain; one that waits no more is left alone. */
    @Transactional
    public void giveUp(RunId id, RunFailure failure) {
        Run run = lock(id);
        if (run.state() == RunState.QUEUED) {
            endings.fail(run, failure);
        }
    }

    /** A rank that is lost or stands is not waited for, where the others can do without it. */
    private void startIfAllReady(Run run) {
        List<Replica> ranks =
                replicas.findByKeyRunIdOrderByKeyRank(run.id()).stream()
                        .filter(it -> it.standstill() == null || !run.configuration().carriesOn())
                        .toList();
        if (ranks.isEmpty() || !ranks.stream().allMatch(Replica::isReady)) {
            return;
        }
        Optional<RunFailure> fault = beginning(run, ranks).fault();
        if (fault.isPresent()) {
            recovery.recover(run, fault.get());
            return;
        }
        boolean first = run.startedAt() == null;
        run.start(clock.instant());
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.info("run started: {}", run.id());
        // What is predicted of a run is that of its first workers.
        if (first) {
            events.publishEvent(started(run, ranks));
        }
    }

    private Beginning beginning(Run run, List<Replica> ranks) {
        Resumed resumed = run.resumption();
        SortedMap<Integer, String> begun = new TreeMap<>();
        ranks.forEach(it -> begun.put(it.rank(), String.valueOf(it.initialParameters())));
        return new Beginning(
                run.configuration(),
                begun,
                resumed == null
                        ? results
                                .findByKeyRunIdAndKeyEpochOrderByKeyRank(
                                        run.id(), run.epochsBefore())
                                .stream()
                                .map(it -> it.figures().parameters())
                                .toList()
                        : List.of(),
                resumed);
    }

    /** A rank has stopped; with the last of them the run waits again. */
    private void stop(Run run, Replica replica, int epoch) {
        if (!checkpoints.isKept(RunId.of(run.id()), run.generation(), epoch)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d has stopped after epoch %d, of which there is no checkpoint"
                            .formatted(replica.rank(), epoch));
        }
        long whole = told(run, replica);
        if (whole != epoch - run.epochsBefore()) {
            recovery.recover(
                    run,
                    new RunFailure(
                            FailureCause.WORKER,
                            "incomplete-report",
                            "rank %d on %s stopped after epoch %d, but reported %d"
                                    .formatted(
                                            replica.rank(), replica.workerName(), epoch, whole)));
            return;
        }
        replica.stop(epoch);
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        if (ranks.stream().allMatch(it -> it.isLost() || hasStopped(it, epoch))) {
            recovery.closeEpochs(run);
            makeRoom(run, epoch);
        } else if (ranks.stream().anyMatch(it -> it.standstill() != null)) {
            recovery.regroup(run, false);
        }
    }

    private static boolean hasStopped(Replica replica, int epoch) {
        return Integer.valueOf(epoch).equals(replica.stoppedAfter());
    }

    private void makeRoom(Run run, int epoch) {
        UUID other = run.preemptFor();
        var interruption =
                new Interruption(
                        other == null ? null : RunId.of(other), null, epoch, clock.instant());
        Waiting reason = new Waiting("preempted", interruption.message());
        run.makeRoom(epoch, reason, clock.instant());
        told.tell(run.id(), new RunEvent.Waits(reason));
        told.tell(run.id(), new RunEvent.State(run.state()));
        log.info("run preempted: {} after epoch {} for {}", run.id(), epoch, other);
        events.publishEvent(
                new RunPreempted(RunId.of(run.id()), run.projectId(), run.generation(), epoch));
    }

    /** Asks the agents of a run that trains to stop after an epoch and make room for another. */
    @Transactional
    public void preempt(RunId id, RunId other) {
        Run run = lock(id);
        if (run.state() == RunState.RUNNING
                && run.configuration().isPreemptible()
                && !other.value().equals(run.preemptFor())) {
            run.preempt(other.value());
            told.note(run.id(), says("asks for a stop after an epoch, for run " + other));
            log.info("run asked to make room: {} for {}", id, other);
        }
    }

    /** Asks no more. */
    @Transactional
    public void spare(RunId id) {
        lock(id).spare();
        told.note(id.value(), says("needs no stop any more"));
        log.info("run need not make room any more: {}", id);
    }

    /**
     * Asks a run whose checkpoint was not kept no more for some time, or for good; one that is not
     * asked is left alone.
     */
    @Transactional
    public void refuse(RunId id, String reason, boolean isForGood) {
        Run run = lock(id);
        if (!run.isAskedToStop()) {
            return;
        }
        Refusal refusal =
                isForGood
                        ? Refusal.forGood(run.refusal(), reason, clock.instant())
                        : Refusal.after(run.refusal(), reason, clock.instant());
        run.refuse(refusal);
        log.warn("run cannot make room: {}: {}", id, refusal);
    }

    /** What is wished of the agents of a run. */
    @Transactional(readOnly = true)
    public ReportReply wish(RunId id) {
        return runs.findById(id.value())
                .filter(run -> run.state() == RunState.RUNNING)
                .map(run -> new ReportReply(run.isAskedToStop(), run.isRegroupWanted()))
                .orElse(ReportReply.NONE);
    }

    /**
     * Asks the agents of a run to stand still after an epoch, as others may join them or some of
     * them leave, or asks them no more.
     */
    @Transactional
    public void wantRegroup(RunId id, boolean wanted) {
        Run run = lock(id);
        if (run.state() == RunState.RUNNING && run.isRegroupWanted() != wanted) {
            run.wantRegroup(wanted);
            told.note(
                    run.id(),
                    says(
                            wanted
                                    ? "asks for a stand after an epoch, as its workers may change"
                                    : "needs no stand any more"));
            log.info("run asked to stand: {}: {}", id, wanted);
        }
    }

    /** Tells that these workers of a run that stands still have no part of it from now on. */
    @Transactional
    public void noteLeaving(RunId id, List<WorkerId> leaving) {
        replicas.findByKeyRunIdOrderByKeyRank(id.value()).stream()
                .filter(it -> leaving.contains(WorkerId.of(it.workerId())))
                .forEach(it ->
                        told.note(
                                id.value(),
                                new RunEvent.Noted(
                                        it.rank(),
                                        it.workerName(),
                                        "leaves the run, as its worker is drained")));
    }

    private static RunEvent.Noted says(String text) {
        return new RunEvent.Noted(null, null, text);
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
        return bounds(run, replica, 0);
    }

    /** Of an epoch that other ranks have begun nobody knows what each has learnt. */
    private static Bounds bounds(Run run, Replica replica, int epoch) {
        RunConfiguration configuration = run.configuration();
        Resumed resumed = run.resumption();
        boolean isBegun = resumed != null && resumed.continuation().from().epoch() == epoch;
        boolean stays = configuration.hysteresis() == null && !isBegun;
        return new Bounds(
                configuration.training().epochs(),
                run.rounds(),
                stays ? replica.share() : 0,
                stays ? replica.share() : configuration.dataset().limit());
    }

    /** Who is not ready in this generation has at most what it begins with. */
    private static void checkHeld(Run run, Replica replica, AgentEvent.Interrupted interrupted) {
        RunConfiguration configuration = run.configuration();
        Position latest =
                replica.isReady()
                        ? new Position(configuration.training().epochs(), run.rounds(), 0)
                        : run.begun();
        bounds(run, replica)
                .check(interrupted, configuration.dataset().limit(), latest.step(run.rounds()));
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
        if (results.countByKeyRunIdAndKeyEpoch(run.id(), epoch) == run.ranks()) {
            run.measure(results.summedUp(run));
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
        long told = told(run, replica);
        if (told < epochs - run.epochsBefore()) {
            recovery.recover(
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
        List<Replica> ranks = replicas.findByKeyRunIdOrderByKeyRank(run.id());
        if (ranks.stream().allMatch(Replica::isFinished)) {
            endings.complete(run);
        } else if (ranks.stream().anyMatch(it -> it.standstill() != null)) {
            recovery.regroup(run, false);
        }
    }

    /** How many epochs a rank has told since it is one: those before are others'. */
    private long told(Run run, Replica replica) {
        return results.countByKeyRunIdAndKeyRankAndKeyEpochGreaterThan(
                run.id(), replica.rank(), run.epochsBefore());
    }

    private Run lock(RunId id) {
        Run run = runs.findForUpdate(id.value()).orElseThrow(() -> Problem.notFound("run", id));
        RunMarks.mark(run);
        return run;
    }

    private static List<Integer> shares(List<Seat> seats) {
        return seats.stream().map(Seat::share).toList();
    }
}
