package dev.equipoise.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@RunningService
class RunStorageUsageIT {

    private static final int POINTS = 1_000;

    private final TestingLab lab;
    private final RunStorageUsage storageUsage;
    private final RunRetention retention;
    private final JdbcClient database;

    RunStorageUsageIT(
            @Autowired TestingLab lab,
            @Autowired RunStorageUsage storageUsage,
            @Autowired RunRetention retention,
            @Autowired JdbcClient database) {
        this.lab = lab;
        this.storageUsage = storageUsage;
        this.retention = retention;
        this.database = database;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "stored", "dataset": {"name": "mnist", "limit": 10000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}, "trace": true}
            """;

    private static Observed losses() {
        List<Long> steps = LongStream.rangeClosed(1, POINTS).boxed().toList();
        List<Double> numbers = steps.stream().map(it -> 1.0 / (POINTS + 1 - it)).toList();
        return new Observed(0, Observed.TRAINING_LOSS, 1, steps, numbers, numbers, 0);
    }

    @Test
    void storageIncludesCurvesTracesAndEvents() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(DEFINITION);
        Assignment.Training part = agent.training();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        long before = bytes(project);

        agent.tell(part, losses());
        long withCurve = bytes(project);
        agent.tell(
                part,
                TestingEpochs.epoch(
                        1,
                        10_000,
                        1,
                        0.25,
                        0.75,
                        2,
                        1000L,
                        0.5,
                        new EpochFinished.TestScore(0.8, 0.4),
                        "weights"));
        long withEpoch = bytes(project);
        agent.tell(
                part,
                new Traced(
                        0,
                        1,
                        Strand.MAIN,
                        Collections.nCopies(POINTS, Phase.COMPUTE),
                        LongStream.range(0, POINTS).map(it -> it * it).boxed().toList(),
                        LongStream.range(0, POINTS).map(it -> it * it % 977).boxed().toList(),
                        0));

        assertThat(before).isPositive();
        assertThat(withCurve - before).isGreaterThan(POINTS * 10);
        assertThat(withEpoch - withCurve).isGreaterThan(200);
        assertThat(bytes(project) - withEpoch).isGreaterThan(POINTS);
        assertThat(storageUsage.bytes(UUID.fromString(lab.project().id()))).isZero();
    }

    /** An hour after the end of a run its short-lived events are deleted and its size is stored. */
    @Test
    void shortLivedEventsOfAnEndedRunAreDeleted() {
        TestingHistory history = TestingHistory.in(lab);
        UUID run = UUID.fromString(history.runs().getFirst());
        retention.cleanUp();
        assertThat(fleeting(run)).isPositive();
        long before = bytes(history.project());

        lab.clock().advance(RunRetention.DELAY.plusSeconds(1));
        await().until(() -> {
            retention.cleanUp();
            return kept(run) > 0;
        });

        assertThat(fleeting(run)).isZero();
        assertThat(bytes(history.project())).isPositive().isLessThan(before);
        JsonNode events = history.project().member().get("/runs/" + run + "/events").expect(200);
        assertThat(events.path("over").booleanValue()).isTrue();
        assertThat(events.path("forgottenTo").longValue()).isPositive();
        assertThat(events.path("items"))
                .extracting(it -> it.at("/event/type").stringValue())
                .contains("state", "epoch")
                .doesNotContain("metrics", "progress");
    }

    private long fleeting(UUID run) {
        return database.sql("select count(*) from run_event where run_id = :run and fleeting")
                .param("run", run)
                .query(Long.class)
                .single();
    }

    private long kept(UUID run) {
        return database.sql("select coalesce(kept_bytes, 0) from run_tally where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .single();
    }

    private long bytes(TestingLab.Project project) {
        return storageUsage.bytes(UUID.fromString(project.id()));
    }
}
