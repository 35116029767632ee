package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.app.recovery.StoppedRank;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Records ranks that are lost or suspended. Callers must hold the lock of the run. */
@Component
class RankLosses {

    private final Recovery recovery;
    private final RunRestart restart;
    private final RunStart start;
    private final ApplicationEventPublisher events;

    RankLosses(
            Recovery recovery,
            RunRestart restart,
            RunStart start,
            ApplicationEventPublisher events) {
        this.recovery = recovery;
        this.restart = restart;
        this.start = start;
        this.events = events;
    }

    /** Records the failure that a rank reports. */
    void lose(Run run, RunRank runRank, Outcome.Failed failed) {
        String message =
                "rank %d on %s: %s"
                        .formatted(runRank.rank(), runRank.workerName(), failed.message());
        lose(run, runRank, new RunFailure(failed.cause(), failed.code(), message));
    }

    /**
     * Records that a run has lost a rank. Starts the run if all other ranks are ready already and
     * can continue without the lost one.
     */
    void lose(Run run, RunRank runRank, RunFailure failure) {
        boolean isUserFault = failure.cause() == FailureCause.USER;
        if (!isUserFault) {
            events.publishEvent(RankLost.of(run, runRank));
        }
        if (!isUserFault && run.isElastic()) {
            recovery.stop(run, runRank, new StoppedRank.Lost(failure));
        } else {
            restart.recover(run, failure);
        }
        if (run.state() == RunState.PREPARING && run.configuration().toleratesLosses()) {
            start.startIfAllReady(run);
        }
    }

    /**
     * Records that a rank has lost contact with others and waits at its recovery point. A rank that
     * was not ready holds at most the state it began with.
     */
    void suspend(Run run, RunRank runRank, Outcome.Interrupted interrupted) {
        RunConfiguration configuration = run.configuration();
        Position latest =
                runRank.isReady()
                        ? new Position(configuration.training().epochs(), run.rounds(), 0)
                        : run.begun();
        ReportLimits.of(run, runRank)
                .check(interrupted, configuration.dataset().limit(), latest.step(run.rounds()));
        recovery.stop(
                run, runRank, new StoppedRank.Waiting(interrupted.held(), interrupted.missing()));
    }
}
