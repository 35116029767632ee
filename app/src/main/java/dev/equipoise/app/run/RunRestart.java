package dev.equipoise.app.run;

import dev.equipoise.app.queue.PreviousStop;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.recovery.RecoverySettings;
import dev.equipoise.app.recovery.RestartDecision;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Restarts or fails runs that cannot continue with their ranks. Callers must hold the lock of the
 * run.
 */
@Component
class RunRestart {

    private static final Logger log = LoggerFactory.getLogger(RunRestart.class);

    private final RunRankRepository runRanks;
    private final RunHistory history;
    private final RunCheckpoints checkpoints;
    private final RunEvents runEvents;
    private final RunTermination termination;
    private final RecoverySettings settings;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunRestart(
            RunRankRepository runRanks,
            RunHistory history,
            RunCheckpoints checkpoints,
            RunEvents runEvents,
            RunTermination termination,
            RecoverySettings settings,
            ApplicationEventPublisher events,
            Clock clock) {
        this.runRanks = runRanks;
        this.history = history;
        this.checkpoints = checkpoints;
        this.runEvents = runEvents;
        this.termination = termination;
        this.settings = settings;
        this.events = events;
        this.clock = clock;
    }

    /** Restarts the run from its last checkpoint, or fails it. */
    void recover(Run run, RunFailure failure) {
        long reached = reached(run);
        switch (decide(run, failure, reached)) {
            case RestartDecision.GiveUp(var why) -> termination.fail(run, why);
            case RestartDecision.Restart restart -> restart(run, failure, restart, reached);
        }
    }

    /**
     * Decides whether the run may train on after a failure.
     *
     * @param reached rounds since the beginning of the run that it has trained
     */
    RestartDecision decide(Run run, RunFailure failure, long reached) {
        return RestartDecision.of(
                failure,
                run.configuration().scheduling().restarts(),
                run.restartsWithoutProgress(),
                run.furthest(),
                reached,
                settings.backoff());
    }

    /** Returns the most rounds since the beginning of the run that one of its ranks has trained. */
    private long reached(Run run) {
        return runRanks.findByKeyRunIdOrderByKeyRank(run.id()).stream()
                .filter(it -> it.epoch() > 0)
                .mapToLong(it -> (it.epoch() - 1L) * run.rounds() + it.round())
                .max()
                .orElse(0);
    }

    /** Returns the run to the queue and deletes the reports of epochs that it will train again. */
    private void restart(
            Run run, RunFailure failure, RestartDecision.Restart restart, long reached) {
        int epoch = checkpoints.lastUsable(run);
        Instant now = clock.instant();
        var previousStop = new PreviousStop(null, failure, epoch, now);
        WaitReason reason = new WaitReason("set-back", previousStop.message());
        history.rewindTo(run, epoch);
        run.requeueForRestart(failure, restart, epoch, reached, reason, now);
        announce(run, failure, epoch);
    }

    private void announce(Run run, RunFailure failure, int epoch) {
        runEvents.append(run.id(), new RunEvent.SetBack(failure, epoch));
        runEvents.append(run.id(), new RunEvent.State(run.state()));
        log.warn(
                "run restarted: {} from epoch {}: {} {}",
                run.id(),
                epoch,
                failure.code(),
                failure.message());
        events.publishEvent(
                new RunRestarted(RunId.of(run.id()), run.projectId(), run.generation(), epoch));
    }
}
