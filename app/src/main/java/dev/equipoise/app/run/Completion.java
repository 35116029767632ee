package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.FailureCause;
import java.util.List;
import org.springframework.stereotype.Component;

/** Finishes ranks and completes runs. Callers must hold the lock of the run. */
@Component
class Completion {

    private final RunRankRepository runRanks;
    private final RunHistory history;
    private final Recovery recovery;
    private final RunRestart restart;
    private final RunTermination termination;

    Completion(
            RunRankRepository runRanks,
            RunHistory history,
            Recovery recovery,
            RunRestart restart,
            RunTermination termination) {
        this.runRanks = runRanks;
        this.history = history;
        this.recovery = recovery;
        this.restart = restart;
        this.termination = termination;
    }

    /** Finishes a rank that has reported every epoch; the last one completes the run. */
    void finish(Run run, RunRank runRank) {
        if (run.state().isTerminal()) {
            return;
        }
        int epochs = run.configuration().training().epochs();
        long reported = history.reportedEpochs(run, runRank);
        if (reported < epochs - run.epochsBefore()) {
            restart.recover(run, incomplete(runRank, reported, epochs));
            return;
        }
        runRank.finish();
        completeOrSettle(run);
    }

    private void completeOrSettle(Run run) {
        List<RunRank> ranks = runRanks.findByKeyRunIdOrderByKeyRank(run.id());
        if (ranks.stream().allMatch(RunRank::isFinished)) {
            termination.complete(run);
        } else if (ranks.stream().anyMatch(it -> it.stopped() != null)) {
            recovery.settle(run, false);
        }
    }

    private static RunFailure incomplete(RunRank runRank, long reported, int epochs) {
        return new RunFailure(
                FailureCause.WORKER,
                "incomplete-report",
                "rank %d on %s finished, but reported %d of %d epochs"
                        .formatted(runRank.rank(), runRank.workerName(), reported, epochs));
    }
}
