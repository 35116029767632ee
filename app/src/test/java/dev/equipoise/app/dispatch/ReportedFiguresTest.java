package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.ReplicaDistance;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportedFiguresTest {

    private static final double HUGE = 1.7e308;

    private static EpochFinished epoch(
            double accuracy, double seconds, long bytes, double loss, double testLoss) {
        return TestingEpochs.epoch(
                1,
                1,
                seconds,
                seconds,
                0,
                seconds,
                bytes,
                loss,
                new TestScore(accuracy, testLoss),
                "p");
    }

    private static List<Violation> violations(AgentEvent... events) {
        Problem problem =
                catchThrowableOfType(
                        Problem.class,
                        () -> ReportedFigures.check(new Report(1, 1, List.of(events))));
        assertThat(problem.code().code()).isEqualTo("invalid-request");
        return problem.violations();
    }

    @Test
    void figuresAtTheirLimitsAreAccepted() {
        EpochFinished atLimits = epoch(1, 1e30, 1L << 53, -1e100, 1e100);

        assertThatCode(() -> ReportedFigures.check(new Report(1, 1, List.of(atLimits))))
                .doesNotThrowAnyException();
    }

    @Test
    void everyImpossibleFigureOfAnEpochHasItsPointerAndLimit() {
        EpochFinished possible = epoch(0.5, 1, 1, 1, 1);
        EpochFinished impossible = epoch(5, HUGE, Long.MAX_VALUE, -HUGE, HUGE);

        assertThat(violations(possible, impossible))
                .containsExactly(
                        new Violation("/events/1/wallSeconds", "must be from 0.0 to 1.0E30", HUGE),
                        new Violation(
                                "/events/1/meanLoss", "must be from -1.0E100 to 1.0E100", -HUGE),
                        new Violation(
                                "/events/1/phases/computeSeconds",
                                "must be from 0.0 to 1.0E30",
                                HUGE),
                        new Violation(
                                "/events/1/phases/transferSeconds",
                                "must be from 0.0 to 1.0E30",
                                HUGE),
                        new Violation(
                                "/events/1/traffic/gradientBytes",
                                "must be from 0 to 9007199254740992",
                                Long.MAX_VALUE),
                        new Violation("/events/1/test/accuracy", "must be from 0.0 to 1.0", 5.0),
                        new Violation("/events/1/test/loss", "must be from 0.0 to 1.0E100", HUGE));
    }

    @Test
    void distancesOfReplicasAreChecked() {
        EpochFinished differing = TestingEpochs.differing("q", 1e300, epoch(0.5, 1, 1, 1, 1));
        var replaced = new RunReport.ReplicaReady(0, 1, "p", new ReplicaDistance(0, HUGE, 1));

        assertThat(violations(differing, replaced))
                .extracting(Violation::pointer)
                .containsExactly(
                        "/events/0/distance/absolute",
                        "/events/0/distance/relative",
                        "/events/0/difference/absolute",
                        "/events/0/difference/relative",
                        "/events/1/replaced/absolute");
    }

    @Test
    void curvesAndMeasurementsAreChecked() {
        assertThat(
                        violations(
                                new RunReport.Observed(
                                        0,
                                        "train/loss",
                                        1,
                                        List.of(1L, 2L),
                                        List.of(1.0, HUGE),
                                        List.of(-HUGE, 1.0),
                                        0),
                                new RunReport.ReplicaReady(0, HUGE, "p"),
                                new ProfileReport.PointMeasured(
                                        new Kernel.TrainingStep("mnist-cnn"),
                                        new MeasuredPoint(1, 1, 5, HUGE, 1).withSigmoid(HUGE)),
                                new LinkReport.LinkMeasured(new MeasuredLink(0, 1, 1, 1, HUGE)),
                                new LinkReport.AllReduceMeasured(
                                        new MeasuredAllReduce(Topology.Algorithm.RING, 2, 1, HUGE)),
                                new RunReport.PhasesElapsed(0, HUGE, RunPhases.ofTraining(HUGE)),
                                new RunReport.Observed(
                                        0,
                                        "train/loss",
                                        Long.MAX_VALUE,
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        Long.MAX_VALUE),
                                new RunReport.Traced(
                                        0,
                                        1,
                                        RunReport.Strand.MAIN,
                                        List.of(RunReport.Phase.COMPUTE, RunReport.Phase.WAIT),
                                        List.of(Long.MIN_VALUE, 1L),
                                        List.of(1L, Long.MAX_VALUE),
                                        Long.MAX_VALUE)))
                .extracting(Violation::pointer)
                .containsExactly(
                        "/events/0/seconds/1",
                        "/events/0/values/0",
                        "/events/1/allReduceSeconds",
                        "/events/2/point/confidenceSeconds",
                        "/events/2/point/sigmoidSeconds",
                        "/events/3/link/relativeError",
                        "/events/4/allReduce/seconds",
                        "/events/5/elapsedSeconds",
                        "/events/5/phases/trainingSeconds",
                        "/events/6/every",
                        "/events/6/dropped",
                        "/events/7/begun/0",
                        "/events/7/nanos/1",
                        "/events/7/dropped");
    }
}
