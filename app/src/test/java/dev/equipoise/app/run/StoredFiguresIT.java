package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.AgentEvent.Phase;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.AgentEvent.Traced;
import dev.equipoise.protocol.Assignment;
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
class StoredFiguresIT {

    private static final int POINTS = 1_000;

    private final TestingLab lab;
    private final StoredFigures figures;
    private final OldRuns old;
    private final JdbcClient database;

    StoredFiguresIT(
            @Autowired TestingLab lab,
            @Autowired StoredFigures figures,
            @Autowired OldRuns old,
            @Autowired JdbcClient database) {
        this.lab = lab;
        this.figures = figures;
        this.old = old;
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
    void curvesTracesAndEventsOfAProjectsRunsAreCounted() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        project.submitOne(DEFINITION);
        Assignment.Training part = agent.training();
        agent.tell(part, new AgentEvent.ReplicaReady(0, 0, "start"));
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
                        new AgentEvent.Evaluated(0.8, 0.4),
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
        assertThat(figures.bytes(UUID.fromString(lab.project().id()))).isZero();
    }

    /** They go an hour after its end, and what is left is counted once. */
    @Test
    void whatIsFleetingOfARunGoesWhenItHasBeenOverForLong() {
        TestingHistory history = TestingHistory.in(lab);
        UUID run = UUID.fromString(history.runs().getFirst());
        old.settle();
        assertThat(fleeting(run)).isPositive();
        long before = bytes(history.project());

        lab.clock().advance(OldRuns.AFTER.plusSeconds(1));
        await().until(() -> {
            old.settle();
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
        return figures.bytes(UUID.fromString(project.id()));
    }
}
