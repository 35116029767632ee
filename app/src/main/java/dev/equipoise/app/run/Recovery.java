package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.recovery.RecoverySettings;
import dev.equipoise.app.recovery.RestartDecision;
import dev.equipoise.app.recovery.ResumePoint;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.recovery.StoppedRank;
import dev.equipoise.app.recovery.SurvivorSelection;
import dev.equipoise.protocol.Position;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Recovers runs that lose ranks: reconfigures them with the surviving ranks, restarts them or fails
 * them. Callers must hold the lock of the run.
 */
@Component
class Recovery {

    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final RunRankRepository runRanks;
    private final RunHistory history;
    private final Reconfiguration reconfiguration;
    private final RunRestart restart;
    private final RunTermination termination;
    private final RunEvents runEvents;
    private final RecoverySettings settings;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    Recovery(
            RunRankRepository runRanks,
            RunHistory history,
            Reconfiguration reconfiguration,
            RunRestart restart,
            RunTermination termination,
            RunEvents runEvents,
            RecoverySettings settings,
            ApplicationEventPublisher events,
            Clock clock) {
        this.runRanks = runRanks;
        this.history = history;
        this.reconfiguration = reconfiguration;
        this.restart = restart;
        this.termination = termination;
        this.runEvents = runEvents;
        this.settings = settings;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Records that a rank stopped training; the last awaited rank decides how the run continues.
     */
    void stop(Run run, RunRank runRank, StoppedRank why) {
        runRank.markStopped(why);
        runEvents.note(runRank, why.description());
        if (!run.isElastic()) {
            restart.recover(run, new LostRanks(ranks(run), List.of()).failure());
            return;
        }
        // Ranks that train to the end of the epoch may need long, so they have no grace period.
        if (!run.toleratesLossesNow()) {
            run.startGracePeriod(clock.instant().plus(settings.patience()));
        }
        // A rank that is cut off from the service only may still train with the others.
        if (runRank.isLost() && run.configuration().toleratesLosses()) {
            run.requestReconfiguration(true);
        }
        settle(run, false);
        if (runRank.isLost() && run.toleratesLossesNow()) {
            log.warn(
                    "run continues without one of its ranks: {}: {}",
                    run.id(),
                    runRank.description());
            runEvents.note(
                    run.id(),
                    "continues without %s until the end of the epoch"
                            .formatted(runRank.description()));
        }
    }

    private List<RunRank> ranks(Run run) {
        return runRanks.findByKeyRunIdOrderByKeyRank(run.id());
    }

    /**
     * Reconfigures, restarts or completes the run if the survivor selection has decided.
     *
     * @param isGracePeriodOver whether the grace period has expired
     */
    void settle(Run run, boolean isGracePeriodOver) {
        List<RunRank> ranks = ranks(run);
        switch (decide(run, ranks, isGracePeriodOver)) {
            case SurvivorSelection.Wait _ -> {}
            case SurvivorSelection.Stop(var left) ->
                    restart.recover(run, new LostRanks(ranks, left).failure());
            case SurvivorSelection.Continue survivors ->
                    continueWith(run, ranks, atBeginning(run, survivors));
            case SurvivorSelection.Complete _ -> complete(run);
        }
    }

    private static SurvivorSelection decide(
            Run run, List<RunRank> ranks, boolean isGracePeriodOver) {
        return SurvivorSelection.decide(
                ranks.stream()
                        .map(it -> new SurvivorSelection.Rank(it.rank(), it.stage(), it.stopped()))
                        .toList(),
                requirements(run),
                isGracePeriodOver);
    }

    private static SurvivorSelection.Requirements requirements(Run run) {
        RunConfiguration configuration = run.configuration();
        int servers = configuration.topology().servers();
        return new SurvivorSelection.Requirements(
                run.rounds(),
                servers,
                configuration.workers().minimum() + servers,
                configuration.toleratesLosses());
    }

    /** Replaces the end of a fully reported epoch by the beginning of the next one. */
    private SurvivorSelection.Continue atBeginning(Run run, SurvivorSelection.Continue survivors) {
        ResumePoint resumed = survivors.resumed();
        Position from = resumed.continuation().from();
        return from.round() == run.rounds()
                        && history.isReported(run, from.epoch(), survivors.ranks())
                ? new SurvivorSelection.Continue(
                        survivors.ranks(), resumed.from(Position.beginning(from.epoch() + 1)))
                : survivors;
    }

    /** Reconfigures a run, or fails one that keeps losing ranks without progress. */
    private void continueWith(Run run, List<RunRank> ranks, SurvivorSelection.Continue survivors) {
        var lost = new LostRanks(ranks, survivors.ranks());
        if (survivors.ranks().size() < ranks.size() || !run.isReconfigurationRequested()) {
            RunFailure failure = lost.failure();
            long reached = survivors.resumed().continuation().from().step(run.rounds());
            if (restart.decide(run, failure, reached)
                    instanceof RestartDecision.GiveUp(RunFailure why)) {
                termination.fail(run, why);
                return;
            }
            log.warn("run has lost ranks: {}: {}", run.id(), failure.message());
            runEvents.note(run.id(), "continues without the lost ranks: " + failure.message());
        }
        lost.outOfContact().stream()
                .filter(it -> !it.isLost())
                .forEach(it -> events.publishEvent(RankLost.of(run, it)));
        reconfiguration.reconfigure(run, ranks, survivors);
    }

    /** Finished ranks trained with all others, even if one was lost before its report. */
    private void complete(Run run) {
        if (run.state() == RunState.PREPARING) {
            run.start(clock.instant());
        }
        history.closeEpochs(run);
        termination.complete(run);
    }
}
