package dev.equipoise.app.dispatch;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.FigureChecks;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rejects reports with figures that no run or measurement can have. */
final class ReportedFigures {

    private ReportedFigures() {}

    /**
     * Checks all events of a report.
     *
     * @throws Problem {@code invalid-request} with all impossible figures
     */
    static void check(Report report) {
        FigureChecks checks = new FigureChecks();
        List<AgentEvent> events = report.events();
        for (int i = 0; i < events.size(); i++) {
            check(events.get(i), checks.at("/events/" + i));
        }
        checks.requireNone(ErrorCode.INVALID_REQUEST);
    }

    private static void check(AgentEvent event, FigureChecks checks) {
        switch (event) {
            case EpochFinished finished -> check(finished, checks);
            case RunReport.Observed observed ->
                    checks.count("/every", observed.every())
                            .allSeconds("/seconds", observed.seconds())
                            .allValues("/values", observed.values())
                            .count("/dropped", observed.dropped());
            case RunReport.ReplicaReady ready -> {
                checks.seconds("/allReduceSeconds", ready.allReduceSeconds());
                check(ready.replaced(), checks.at("/replaced"));
            }
            case ProfileReport.PointMeasured measured ->
                    check(measured.point(), checks.at("/point"));
            case LinkReport.LinkMeasured measured ->
                    checks.magnitude("/link/relativeError", measured.link().relativeError());
            case LinkReport.AllReduceMeasured measured ->
                    checks.seconds("/allReduce/seconds", measured.allReduce().seconds());
            case RunReport.PhasesElapsed elapsed -> {
                checks.seconds("/elapsedSeconds", elapsed.elapsedSeconds());
                check(elapsed.phases(), checks.at("/phases"));
            }
            case RunReport.Traced traced ->
                    checks.allNanos("/begun", traced.begun())
                            .allNanos("/nanos", traced.nanos())
                            .count("/dropped", traced.dropped());
            case RunReport.RoundReached _,
                    RunReport.Decided _,
                    RunReport.Noted _,
                    Outcome _,
                    AgentEvent.Unknown _ -> {
                // These events have no figures.
            }
        }
    }

    private static void check(EpochFinished finished, FigureChecks checks) {
        checks.seconds("/wallSeconds", finished.wallSeconds())
                .value("/meanLoss", finished.meanLoss());
        check(finished.phases(), checks.at("/phases"));
        check(finished.traffic(), checks.at("/traffic"));
        check(finished.updates(), checks.at("/updates"));
        check(finished.test(), checks.at("/test"));
        check(finished.own(), checks.at("/own"));
        ConsensusDistance distance = finished.distance();
        if (distance != null) {
            checks.magnitude("/distance/absolute", distance.absolute())
                    .magnitude("/distance/relative", distance.relative());
        }
        check(finished.difference(), checks.at("/difference"));
    }

    private static void check(@Nullable ReplicaDistance distance, FigureChecks checks) {
        if (distance != null) {
            checks.magnitude("/absolute", distance.absolute())
                    .magnitude("/relative", distance.relative());
        }
    }

    private static void check(Phases phases, FigureChecks checks) {
        checks.seconds("/computeSeconds", phases.computeSeconds())
                .seconds("/encodeSeconds", phases.encodeSeconds())
                .seconds("/transferSeconds", phases.transferSeconds())
                .seconds("/waitSeconds", phases.waitSeconds())
                .seconds("/applySeconds", phases.applySeconds())
                .seconds("/hiddenSeconds", phases.hiddenSeconds());
    }

    private static void check(RunPhases phases, FigureChecks checks) {
        checks.seconds("/rendezvousSeconds", phases.rendezvousSeconds())
                .seconds("/dataSeconds", phases.dataSeconds())
                .seconds("/warmUpSeconds", phases.warmUpSeconds())
                .seconds("/restoreSeconds", phases.restoreSeconds())
                .seconds("/calibrationSeconds", phases.calibrationSeconds())
                .seconds("/trainingSeconds", phases.trainingSeconds())
                .seconds("/evaluationSeconds", phases.evaluationSeconds())
                .seconds("/checkpointSeconds", phases.checkpointSeconds())
                .seconds("/coordinationSeconds", phases.coordinationSeconds());
    }

    private static void check(Traffic traffic, FigureChecks checks) {
        checks.count("/gradientBytes", traffic.gradientBytes())
                .count("/weightBytes", traffic.weightBytes())
                .count("/controlBytes", traffic.controlBytes())
                .count("/frames", traffic.frames());
    }

    private static void check(WeightUpdates updates, FigureChecks checks) {
        checks.count("/steps", updates.steps())
                .magnitude("/learningRate", updates.learningRate())
                .count("/greatestStaleness", updates.greatestStaleness());
        for (int bin = 0; bin < updates.staleness().size(); bin++) {
            long count = updates.staleness().get(bin);
            if (count > FigureChecks.MAX_COUNT) {
                checks.count("/staleness/" + bin, count);
            }
        }
    }

    private static void check(@Nullable TestScore score, FigureChecks checks) {
        if (score != null) {
            checks.accuracy("/accuracy", score.accuracy()).magnitude("/loss", score.loss());
        }
    }

    private static void check(MeasuredPoint point, FigureChecks checks) {
        checks.seconds("/meanSeconds", point.meanSeconds())
                .seconds("/confidenceSeconds", point.confidenceSeconds())
                .seconds("/deviationSeconds", point.deviationSeconds())
                .seconds("/sigmoidSeconds", point.sigmoidSeconds());
    }
}
