package dev.equipoise.app.run;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.app.telemetry.OrderStore;
import dev.equipoise.app.telemetry.RankTimeStore;
import dev.equipoise.app.telemetry.TraceStore;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport.Decided;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.List;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Stores the figures that ranks report while they train. Callers must hold the lock of the run.
 * Each method throws {@code invalid-request} if the report cannot be true of the run.
 */
@Component
class RankReports {

    private final RunRankRepository runRanks;
    private final RunHistory history;
    private final MetricStore metrics;
    private final TraceStore traces;
    private final OrderStore orders;
    private final RankTimeStore times;
    private final EventLog log;
    private final RunEvents runEvents;
    private final ApplicationEventPublisher events;

    RankReports(
            RunRankRepository runRanks,
            RunHistory history,
            MetricStore metrics,
            TraceStore traces,
            OrderStore orders,
            RankTimeStore times,
            EventLog log,
            RunEvents runEvents,
            ApplicationEventPublisher events) {
        this.runRanks = runRanks;
        this.history = history;
        this.metrics = metrics;
        this.traces = traces;
        this.orders = orders;
        this.times = times;
        this.log = log;
        this.runEvents = runEvents;
        this.events = events;
    }

    /**
     * Moves ranks to a round.
     *
     * @param ranks the ranks that have reached it
     */
    void reach(Run run, RunRank runRank, List<RunRank> ranks, RoundReached reached) {
        ReportLimits.of(run, runRank).check(reached);
        ranks.forEach(it -> it.reach(reached));
        appendProgress(run);
    }

    /** Appends a progress event about once a second, however many ranks the run has. */
    private void appendProgress(Run run) {
        if (log.isProgressDue(run.id())) {
            runRanks.findSlowest(List.of(run.id())).stream()
                    .map(it -> Progress.of(run, it.epoch(), it.round()))
                    .forEach(it -> runEvents.append(run.id(), new RunEvent.Progressed(it)));
        }
    }

    void keep(Run run, RunRank runRank, Observed observed) {
        ReportLimits.of(run, runRank).check(observed);
        if (metrics.keep(run.id(), run.generation(), observed)) {
            log.append(run.id(), run.generation(), observed);
        }
    }

    void keep(Run run, RunRank runRank, EpochFinished finished) {
        ReportLimits.of(run, runRank, finished.epoch()).check(finished);
        ReportLimits.check(run, finished.difference());
        runRank.reach(new RoundReached(finished.rank(), finished.epoch(), run.rounds()));
        history.keep(run, finished);
        events.publishEvent(
                new EpochReported(
                        RunId.of(run.id()), finished, run.configuration().isOnOneWorker()));
    }

    void keep(Run run, PhasesElapsed elapsed) {
        times.keep(run.id(), run.generation(), elapsed);
    }

    void keep(Run run, RunRank runRank, Traced traced) {
        ReportLimits.of(run, runRank).check(traced);
        if (!run.configuration().instrumentation().trace()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d reported a trace, but the definition does not say trace: true"
                            .formatted(traced.rank()));
        }
        traces.keep(run.id(), traced);
    }

    void keep(Run run, RunRank runRank, Decided decided) {
        ReportLimits.of(run, runRank).check(decided);
        if (!run.configuration().instrumentation().record()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d reported decisions, but the definition does not say record: true"
                            .formatted(decided.rank()));
        }
        orders.keep(run.id(), decided);
    }
}
