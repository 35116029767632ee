package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@RunningService
class CurveIT {

    private final TestingLab lab;
    private final MetricStore metrics;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final TestingLab.Project project;

    CurveIT(
            @Autowired TestingLab lab,
            @Autowired MetricStore metrics,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.metrics = metrics;
        this.database = database;
        this.transaction = transaction;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Two replicas on 2,000 samples with a mini-batch size of 10: 100 rounds. */
    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "curves", "dataset": {"name": "mnist", "limit": 2000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 2}}
            """;

    /** Each reading moves the testing clock a little, in seconds. */
    private static final Offset<Double> READINGS = Offset.offset(0.1);

    /** Losses of rounds of 0.1 s; the loss of a round is 1 over its number. */
    private static Observed losses(long from, long to) {
        return losses(1, from, to);
    }

    private static Observed losses(long every, long from, long to) {
        List<Long> steps =
                LongStream.rangeClosed(from, to).filter(it -> it % every == 0).boxed().toList();
        return new Observed(
                0,
                Observed.TRAINING_LOSS,
                every,
                steps,
                steps.stream().map(it -> it * 0.1).toList(),
                steps.stream().map(it -> 1.0 / it).toList(),
                0);
    }

    private static AgentEvent epoch(int epoch, double accuracy) {
        return TestingEpochs.epoch(
                epoch,
                1000,
                1,
                0.25,
                3,
                10,
                4000,
                0.5,
                new EpochFinished.TestScore(accuracy, 0.4),
                "same");
    }

    /** Running run of two ranks. */
    private record Started(String run, List<TestingAgent> agents, List<Assignment.Training> parts) {

        void tell(int rank, AgentEvent... events) {
            agents.get(rank).tell(parts.get(rank), events);
        }

        /** Returns the run after these agents have begun it. */
        Started with(List<TestingAgent> others) {
            Started started =
                    new Started(run, others, others.stream().map(TestingAgent::training).toList());
            started.tell(0, new RunReport.ReplicaReady(0, 0.002, "start"));
            started.tell(1, new RunReport.ReplicaReady(1, 0.002, "start"));
            return started;
        }
    }

    private Started started() {
        return started(lab.agents(2));
    }

    private Started started(List<TestingAgent> agents) {
        return new Started(project.submitOne(DEFINITION), List.of(), List.of()).with(agents);
    }

    private JsonNode curves(String run, String query) {
        return project.member().get("/runs/" + run + "/curves?" + query).expect(200).path("items");
    }

    private static List<Double> values(JsonNode curve, String field) {
        return curve.path("buckets").valueStream().map(it -> it.path(field).doubleValue()).toList();
    }

    @Test
    void runListsItsMetrics() {
        Started started = started();
        started.tell(0, losses(1, 60), losses(61, 100), epoch(1, 0.5));
        started.tell(1, losses(2, 1, 50), epoch(1, 0.5));

        JsonNode items =
                project.member()
                        .get("/runs/" + started.run() + "/metrics")
                        .expect(200)
                        .path("items");

        assertThat(items.values()).hasSize(2 + 2 + 4 * 2);
        JsonNode first = items.get(0);
        assertThat(first.path("name").stringValue()).isEqualTo("train/loss");
        assertThat(first.path("rank").intValue()).isZero();
        assertThat(first.path("points").intValue()).isEqualTo(100);
        assertThat(first.path("lastStep").intValue()).isEqualTo(100);
        assertThat(first.path("min").doubleValue()).isEqualTo(0.01);
        assertThat(items.get(1).path("every").intValue()).isEqualTo(2);
        assertThat(items.valueStream().map(it -> it.path("name").stringValue()))
                .contains("test/accuracy", "epoch/loss", "epoch/bytes");
        assertThat(
                        items.valueStream()
                                .filter(it -> it.path("name").stringValue().equals("test/loss"))
                                .map(it -> it.path("rank").isNull()))
                .containsExactly(true);
    }

    @Test
    void curvesAreDownsampledToTheRequestedBuckets() {
        Started started = started();
        started.tell(0, losses(1, 60));
        started.tell(0, losses(61, 101));
        started.tell(1, losses(1, 3));

        JsonNode curves = curves(started.run(), "name=train/loss&buckets=4");

        assertThat(curves.valueStream().map(it -> it.path("rank").intValue()))
                .containsExactly(0, 1);
        assertThat(values(curves.get(0), "count")).containsExactly(25.0, 25.0, 25.0, 26.0);
        assertThat(values(curves.get(0), "last"))
                .containsExactly(1 / 25.0, 1 / 50.0, 1 / 75.0, 1 / 101.0);
        assertThat(values(curves.get(0), "from")).containsExactly(1.0, 26.0, 51.0, 76.0);
        assertThat(values(curves.get(1), "lastX")).containsExactly(1.0, 2.0, 3.0);
    }

    @Test
    void curvesSupportEachAxisAndARange() {
        Started started = started();
        started.tell(0, losses(1, 120), epoch(1, 0.5));
        started.tell(1, epoch(1, 0.5));

        String few = "name=train/loss&rank=0&from=%s&to=%s&x=%s";
        assertThat(values(curves(started.run(), few.formatted(10, 12, "step")).get(0), "lastX"))
                .containsExactly(10.0, 11.0, 12.0);
        assertThat(values(curves(started.run(), few.formatted(0.1, 0.12, "epoch")).get(0), "last"))
                .containsExactly(0.1, 1 / 11.0, 1 / 12.0);
        assertThat(
                        values(
                                curves(started.run(), few.formatted(0.95, 1.15, "seconds")).get(0),
                                "lastX"))
                .containsExactly(1.0, 1.1);
        // Each rank trains on 1,000 samples and sends 4,000 bytes in an epoch; the second has not
        // ended.
        assertThat(
                        values(
                                curves(started.run(), few.formatted(1980, 9999, "samples")).get(0),
                                "lastX"))
                .containsExactly(1980.0, 2000.0);
        assertThat(
                        values(
                                curves(started.run(), few.formatted(7920, 9999, "bytes")).get(0),
                                "lastX"))
                .containsExactly(7920.0, 8000.0);
    }

    /** The first attempt trains for 3 s, and fails 2 s later; the second one begins after 2 s. */
    @Test
    void wallClockCountsFromTheFirstStartAlsoAfterARestart() {
        List<TestingAgent> agents = lab.agents(3);
        Started first = started(agents.subList(0, 2));
        lab.advance(Duration.ofSeconds(3), agents);
        for (int rank = 0; rank < 2; rank++) {
            first.tell(rank, losses(1, 100), epoch(1, 0.5));
        }
        String accuracy = "name=test/accuracy&x=wall-clock";
        assertThat(place(curves(first.run(), accuracy))).isCloseTo(3, READINGS);

        lab.advance(Duration.ofSeconds(2), agents);
        first.tell(1, new Outcome.Failed(FailureCause.WORKER, "broken", "it broke"));
        lab.advance(Duration.ofSeconds(2), agents);
        Started second = first.with(List.of(agents.get(0), agents.get(2)));
        lab.advance(Duration.ofSeconds(4), agents);
        for (int rank = 0; rank < 2; rank++) {
            second.tell(rank, losses(1, 50), losses(51, 150), epoch(1, 0.75));
        }

        assertThat(place(curves(first.run(), accuracy))).isCloseTo(11, READINGS);
        assertThat(project.run(first.run()).at("/epochs/0/wallClockSeconds").doubleValue())
                .isCloseTo(11, READINGS);
        JsonNode loss = curves(first.run(), "name=train/loss&rank=0&buckets=2&x=wall-clock");
        assertThat(values(loss.get(0), "count")).containsExactly(50.0, 50.0);
        assertThat(place(loss)).isCloseTo(11 / 2.0, READINGS);
        JsonNode compared = project.member().get("/comparisons?runs=" + first.run()).expect(200);
        assertThat(compared.at("/runs/0/curve/0/wallClockSeconds").doubleValue())
                .isCloseTo(11, READINGS);
    }

    /** Returns the position of the last point in the first bucket of the first curve. */
    private static double place(JsonNode curves) {
        return values(curves.get(0), "lastX").getFirst();
    }

    @Test
    void figuresOfEpochsHaveCurves() {
        Started started = started();
        started.tell(0, epoch(1, 0.5), epoch(2, 0.75));
        started.tell(1, epoch(1, 0.5), epoch(2, 0.75));

        JsonNode accuracy = curves(started.run(), "name=test/accuracy&x=seconds").get(0);
        assertThat(accuracy.path("rank").isNull()).isTrue();
        assertThat(values(accuracy, "lastX")).containsExactly(10.0, 20.0);
        assertThat(values(accuracy, "last")).containsExactly(0.5, 0.75);
        assertThat(curves(started.run(), "name=epoch/bytes&rank=1").values()).hasSize(1);
        project.member()
                .get("/runs/" + started.run() + "/curves?name=test/accuracy&rank=1")
                .problem(400, "invalid-request");
    }

    @Test
    void curvesOfSeveralRunsRequireAccessToAllOfThem() {
        Started one = started();
        one.tell(0, losses(1, 10));
        Started other = started();
        other.tell(0, losses(1, 10));
        String both = "/curves?name=train/loss&run=%s&run=%s".formatted(one.run(), other.run());

        assertThat(
                        project.member()
                                .get(both)
                                .expect(200)
                                .path("items")
                                .valueStream()
                                .map(it -> it.path("run").stringValue()))
                .containsExactly(one.run(), other.run());
        lab.project().member().get(both).problem(404, "not-found");
        String many =
                IntStream.range(0, 21)
                        .mapToObj(_ -> "&run=" + UUID.randomUUID())
                        .reduce("/curves?name=train/loss", String::concat);
        project.member().get(many).problem(400, "invalid-request");
    }

    @Test
    void metricsOfSeveralRunsRequireAccessToAllOfThem() {
        Started one = started();
        one.tell(0, losses(1, 10));
        Started other = started();
        String both = "/metrics?run=%s&run=%s".formatted(one.run(), other.run());

        JsonNode listed = project.member().get(both).expect(200).path("items");

        assertThat(listed)
                .extracting(it -> it.path("run").stringValue())
                .containsExactly(one.run(), other.run());
        assertThat(listed.at("/0/metrics/0/name").stringValue()).isEqualTo("train/loss");
        assertThat(listed.at("/1/metrics")).isEmpty();
        lab.project().member().get(both).problem(404, "not-found");
        project.member().get("/metrics").problem(400, "invalid-request");
    }

    @Test
    void invalidCurveRequestsAreRejectedWithTheReason() {
        Started started = started();
        started.tell(0, losses(1, 10));
        String curves = "/runs/" + started.run() + "/curves";

        project.member().get(curves + "?name=no/such").problem(404, "not-found");
        Stream.of(
                        "",
                        "?name=train/loss&buckets=0",
                        "?name=train/loss&buckets=2001",
                        "?name=train/loss&x=day",
                        "?name=train/loss&rank=-1",
                        "?name=train/loss&rank=,0",
                        "?name=train/loss&from=2&to=1",
                        "?name=train/loss&from=NaN",
                        "?name=train/loss&to=Infinity")
                .forEach(query ->
                        project.member().get(curves + query).problem(400, "invalid-request"));
        lab.project().member().get("/runs/" + started.run() + "/metrics").problem(404, "not-found");
    }

    @Test
    void pointsMustFollowEarlierPointsWithinTheRun() {
        Started started = started();
        started.tell(0, losses(1, 10));

        assertRejected(
                started,
                losses(10, 12),
                "points of train/loss must follow step 10, but began with 10");
        assertRejected(started, losses(199, 201), "step must be at most 200, but was 201");
        assertRejected(
                started,
                new Observed(0, "test/loss", 1, List.of(20L), List.of(2.0), List.of(1.0), 0),
                "metric must not be one that the service derives from epochs, but was test/loss");
        started.tell(0, losses(11, 12));
        assertThat(curves(started.run(), "name=train/loss").get(0).path("buckets").values())
                .hasSize(12);
    }

    private static void assertRejected(Started started, Observed points, String reason) {
        assertThat(
                        started.agents()
                                .getFirst()
                                .report(started.parts().getFirst(), points)
                                .problem(400, "invalid-request")
                                .path("detail")
                                .stringValue())
                .isEqualTo(reason);
    }

    @Test
    void repeatedReportChangesNothing() {
        Started started = started();
        Assignment.Training part = started.parts().getFirst();
        started.agents().getFirst().send(part, part.generation(), 2, losses(1, 10)).expect(204);
        started.agents().getFirst().send(part, part.generation(), 2, losses(1, 10)).expect(204);

        assertThat(curves(started.run(), "name=train/loss").get(0).path("buckets").values())
                .hasSize(10);
    }

    @Test
    void pointsThatArriveSlowlyShareARow() {
        Started started = started();
        for (long step = 1; step <= 200; step++) {
            started.tell(0, losses(step, step));
            // Reports do not replace heartbeats.
            if (step % 50 == 0) {
                TestingLab.beat(started.agents());
            }
        }

        assertThat(rows(started.run())).isEqualTo(1);
        assertThat(
                        curves(started.run(), "name=train/loss&from=199")
                                .get(0)
                                .path("buckets")
                                .values())
                .hasSize(2);
    }

    private long rows(String run) {
        return database.sql("select count(*) from metric_part where run_id = :run")
                .param("run", UUID.fromString(run))
                .query(Long.class)
                .single();
    }

    /** Stores points of a rank as if it had reported them. */
    private void fill(String run, int rank, long points) {
        for (long from = 1; from <= points; from += Observed.MAX_POINTS) {
            Observed part = losses(from, Math.min(points, from + Observed.MAX_POINTS - 1));
            transaction.executeWithoutResult(_ ->
                    metrics.keep(
                            UUID.fromString(run),
                            1,
                            new Observed(
                                    rank,
                                    part.metric(),
                                    1,
                                    part.steps(),
                                    part.seconds(),
                                    part.values(),
                                    0)));
        }
    }

    @Test
    void rangeWithinRowsHasItsPointsOnly() {
        Started started = started();
        fill(started.run(), 0, 3_500);

        JsonNode curve = curves(started.run(), "name=train/loss&from=1999&to=2002").get(0);

        assertThat(values(curve, "lastX")).containsExactly(1999.0, 2000.0, 2001.0, 2002.0);
        assertThat(curves(started.run(), "name=train/loss&from=9000").get(0).path("buckets"))
                .isEmpty();
    }

    @Test
    void rangeOmitsPointsThatWereTrainedAgain() {
        Started started = started();
        fill(started.run(), 0, 2_500);
        transaction.executeWithoutResult(
                _ -> metrics.keep(UUID.fromString(started.run()), 2, losses(500, 600)));

        assertThat(curves(started.run(), "name=train/loss&from=590&to=1500").get(0).path("buckets"))
                .hasSize(11);
        assertThat(curves(started.run(), "name=train/loss&from=1500").get(0).path("buckets"))
                .isEmpty();
    }

    @Test
    void millionPointsTakeThousandRowsAndFurtherPointsAreDropped() {
        Started started = started();
        fill(started.run(), 0, Observed.MAX_POINTS_OF_A_RUN);
        started.tell(1, losses(1, 7));

        JsonNode curve = curves(started.run(), "name=train/loss").get(0);

        assertThat(rows(started.run())).isEqualTo(1000);
        assertThat(values(curve, "count")).hasSize(500).containsOnly(2000.0);
        assertThat(project.run(started.run()).path("droppedPoints").intValue()).isEqualTo(7);
    }
}
