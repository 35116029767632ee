package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.recovery.InitialStateCheck;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Starts prepared runs once their ranks are ready. Callers must hold the lock of the run. */
@Component
class RunStart {

    private static final Logger log = LoggerFactory.getLogger(RunStart.class);

    private final RunRankRepository runRanks;
    private final EpochStore epochs;
    private final Checkpoints checkpoints;
    private final RunRestart restart;
    private final RunEvents runEvents;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunStart(
            RunRankRepository runRanks,
            EpochStore epochs,
            Checkpoints checkpoints,
            RunRestart restart,
            RunEvents runEvents,
            ApplicationEventPublisher events,
            Clock clock) {
        this.runRanks = runRanks;
        this.epochs = epochs;
        this.checkpoints = checkpoints;
        this.restart = restart;
        this.runEvents = runEvents;
        this.events = events;
        this.clock = clock;
    }

    void ready(Run run, RunRank runRank, ReplicaReady ready) {
        ReportLimits.check(run, ready.replaced());
        runRank.ready(ready);
        startIfAllReady(run);
    }

    /**
     * Starts the run once all ranks are ready, lost and suspended ranks excluded if the others can
     * continue without them.
     */
    void startIfAllReady(Run run) {
        List<RunRank> ranks =
                runRanks.findByKeyRunIdOrderByKeyRank(run.id()).stream()
                        .filter(it ->
                                it.stopped() == null || !run.configuration().toleratesLosses())
                        .toList();
        if (ranks.isEmpty() || !ranks.stream().allMatch(RunRank::isReady)) {
            return;
        }
        List<RankEpoch> ended = ended(run);
        Optional<RunFailure> fault = initialStateCheck(run, ranks, ended).fault();
        if (fault.isPresent()) {
            restart.recover(run, fault.get());
        } else {
            start(run, ranks);
            ReplicaDifferences.atStart(ranks, ended).ifPresent(it -> runEvents.note(run.id(), it));
        }
    }

    /**
     * Returns the results of the epoch whose checkpoint the ranks have loaded. A later generation
     * may have reported the epoch again, from the weights of other ranks.
     */
    private List<RankEpoch> ended(Run run) {
        if (!isFromCheckpoint(run)) {
            return List.of();
        }
        return checkpoints.find(RunId.of(run.id()), run.epochsBefore()).stream()
                .flatMap(stored ->
                        epochs.of(run.id(), stored.epoch()).stream()
                                .filter(it -> it.generation() == stored.generation()))
                .toList();
    }

    private static boolean isFromCheckpoint(Run run) {
        return run.resumption() == null && run.epochsBefore() > 0;
    }

    private static InitialStateCheck initialStateCheck(
            Run run, List<RunRank> ranks, List<RankEpoch> ended) {
        SortedMap<Integer, String> begun = new TreeMap<>();
        ranks.forEach(it -> begun.put(it.rank(), String.valueOf(it.initialParameters())));
        SortedMap<Integer, String> before = new TreeMap<>();
        ended.forEach(it -> before.put(it.rank(), it.figures().parameters()));
        return new InitialStateCheck(
                run.configuration(), begun, isFromCheckpoint(run), before, run.resumption());
    }

    private void start(Run run, List<RunRank> ranks) {
        boolean isFirst = run.startedAt() == null;
        run.start(clock.instant());
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        log.info("run started: {}", run.id());
        // A prediction applies to the first workers only.
        if (isFirst) {
            events.publishEvent(started(run, ranks));
        }
    }

    private static RunStarted started(Run run, List<RunRank> ranks) {
        return new RunStarted(
                RunId.of(run.id()),
                run.configuration(),
                ranks.stream()
                        .map(it -> new RunStarted.Taken(WorkerId.of(it.workerId()), it.share()))
                        .toList(),
                ranks.stream()
                        .map(RunRank::allReduceSeconds)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(0),
                run.hybrid());
    }
}
