package dev.equipoise.app.run;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Applies the reports of the ranks of placed runs. */
@Service
public class Reports {

    private final RunLocks locks;
    private final RunRepository runs;
    private final RunRankRepository runRanks;
    private final RunEvents runEvents;
    private final RankReports figures;
    private final RunStart start;
    private final Preemptions preemptions;
    private final RankLosses losses;
    private final Completion completion;

    Reports(
            RunLocks locks,
            RunRepository runs,
            RunRankRepository runRanks,
            RunEvents runEvents,
            RankReports figures,
            RunStart start,
            Preemptions preemptions,
            RankLosses losses,
            Completion completion) {
        this.locks = locks;
        this.runs = runs;
        this.runRanks = runRanks;
        this.runEvents = runEvents;
        this.figures = figures;
        this.start = start;
        this.preemptions = preemptions;
        this.losses = losses;
        this.completion = completion;
    }

    /** Returns the requests to the agents of a run. */
    @Transactional(readOnly = true)
    public ReportReply requests(RunId id) {
        return runs.findById(id.value())
                .filter(run -> run.state() == RunState.RUNNING)
                .map(run -> new ReportReply(run.isAskedToStop(), run.isReconfigurationRequested()))
                .orElse(ReportReply.NONE);
    }

    /**
     * Applies a report of a rank; ignored if the run has ended.
     *
     * @throws Problem {@code invalid-request} if the report cannot be true of this run
     */
    @Transactional
    public void record(RunId id, int rank, RunReport event) {
        Run run = locks.lock(id);
        if (!run.state().isTerminal()) {
            record(run, reportingRank(run, rank, event), event);
        }
    }

    /**
     * Returns the rank of a report: that of the worker or, if one worker has all ranks, the named
     * one.
     *
     * @throws Problem {@code invalid-request} if a worker reports for a rank that is not its own
     */
    private RunRank reportingRank(Run run, int rank, RunReport event) {
        int named = event.ofRank().orElse(rank);
        if (named != rank && !run.configuration().isOnOneWorker()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d must report for itself, but reported for rank %d"
                            .formatted(rank, named));
        }
        return runRanks.findById(new RunRank.Key(run.id(), named))
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.INVALID_REQUEST,
                                "the run has no rank %d".formatted(named)));
    }

    private void record(Run run, RunRank runRank, RunReport event) {
        switch (event) {
            case RunReport.ReplicaReady ready -> start.ready(run, runRank, ready);
            case RunReport.RoundReached reached ->
                    figures.reach(run, runRank, ranksOf(run, runRank), reached);
            case RunReport.Observed observed -> figures.keep(run, runRank, observed);
            case EpochFinished finished -> figures.keep(run, runRank, finished);
            case RunReport.PhasesElapsed elapsed -> figures.keep(run, elapsed);
            case RunReport.Traced traced -> figures.keep(run, runRank, traced);
            case RunReport.Decided decided -> figures.keep(run, runRank, decided);
            case RunReport.Noted noted -> runEvents.note(runRank, noted.text());
            case Outcome.Preempted preempted -> preemptions.stop(run, runRank, preempted);
            case Outcome.Interrupted interrupted -> losses.suspend(run, runRank, interrupted);
            case Outcome.Finished _ ->
                    ranksOf(run, runRank).forEach(it -> completion.finish(run, it));
            case Outcome.Failed failed -> losses.lose(run, runRank, failed);
        }
    }

    private List<RunRank> ranksOf(Run run, RunRank runRank) {
        return run.configuration().isOnOneWorker()
                ? runRanks.findByKeyRunIdOrderByKeyRank(run.id())
                : List.of(runRank);
    }
}
