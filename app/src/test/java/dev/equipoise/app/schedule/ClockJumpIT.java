package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.dispatch.Usage;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Sets the clock of the service an hour back, and forward again. */
@RunningService
class ClockJumpIT {

    private static final List<Duration> JUMPS = List.of(Duration.ofHours(-1), Duration.ofHours(1));

    private final TestingLab lab;
    private final Usage usage;
    private final TestingLab.Project project;

    ClockJumpIT(@Autowired TestingLab lab, @Autowired Usage usage) {
        this.lab = lab;
        this.usage = usage;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** An elastic run of three replicas in 100 rounds, of which two may continue. */
    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "run",
             "dataset": {"name": "mnist", "limit": 3000},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 3, "minimum": 2}}
            """;

    private static List<Assignment.Training> begin(List<TestingAgent> agents) {
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i).tell(parts.get(i), new RunReport.ReplicaReady(0, 0.002, "start"));
        }
        return parts;
    }

    private String state(String run) {
        return project.run(run).path("state").stringValue();
    }

    private int restarts(String run) {
        return project.run(run).path("setbacks").intValue();
    }

    private void jump(Duration jump, List<TestingAgent> agents) {
        lab.clock().advance(jump);
        TestingLab.beat(agents);
    }

    @Test
    void projectIsChargedForTheTimeThatHeartbeatsCover() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(DEFINITION);
        List<Assignment.Training> parts = begin(agents);
        lab.advance(Duration.ofSeconds(20), agents);
        for (Duration jump : JUMPS) {
            jump(jump, agents);
            lab.advance(Duration.ofSeconds(20), agents);
        }

        var broken = new Outcome.Failed(FailureCause.USER, "broken", "it broke");
        agents.getFirst().tell(parts.getFirst(), broken);

        assertThat(state(run)).isEqualTo("FAILED");
        assertThat(usage.byProject(List.of()).get(UUID.fromString(project.id())))
                .isCloseTo(180.0, within(0.5));
    }

    /** The first heartbeat after the jump comes after the end of the run. */
    @Test
    void jumpBeforeTheEndIsNotCharged() {
        List<TestingAgent> agents = lab.agents(3);
        project.submitOne(DEFINITION);
        List<Assignment.Training> parts = begin(agents);
        lab.advance(Duration.ofSeconds(20), agents);

        lab.clock().advance(Duration.ofHours(1));
        var broken = new Outcome.Failed(FailureCause.USER, "broken", "it broke");
        agents.getFirst().tell(parts.getFirst(), broken);

        assertThat(usage.byProject(List.of()).get(UUID.fromString(project.id())))
                .as("20 s and the session timeout of 10 s, for each worker")
                .isBetween(60.0, 90.5);
    }

    @Test
    void survivorsContinueAfterJumpsInTheirGracePeriod() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(DEFINITION);
        List<Assignment.Training> parts = begin(agents);
        interrupt(agents.get(0), parts.get(0));

        for (Duration jump : JUMPS) {
            jump(jump, agents);
            lab.advance(Duration.ofSeconds(4), agents);
            assertThat(restarts(run)).as("after %s", jump).isZero();
        }
        interrupt(agents.get(1), parts.get(1));

        assertThat(agents.get(0).training().generation()).isEqualTo(2);
    }

    /** Reports that a rank waits at its recovery point and misses rank 2. */
    private static void interrupt(TestingAgent agent, Assignment.Training part) {
        var point = new Outcome.Interrupted.RetainedPoint(new Position(1, 40, 1200), "weights");
        agent.tell(
                part,
                new RunReport.RoundReached(0, 1, 40),
                new Outcome.Interrupted(0, point, List.of(2)));
    }

    /** One rank cannot continue alone, so the run restarts at the end of the grace period. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void gracePeriodEndsAfterItsLengthWithoutAJump(int hours) {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(DEFINITION);
        List<Assignment.Training> parts = begin(agents);
        interrupt(agents.get(0), parts.get(0));
        try {
            jump(Duration.ofHours(hours), agents);
            lab.advance(Duration.ofSeconds(4), agents);
            assertThat(restarts(run)).as("the other ranks may still report").isZero();

            lab.advance(Duration.ofSeconds(16), agents);
            assertThat(restarts(run)).isEqualTo(1);
        } finally {
            // Later tests find no rows from the future: the clock may be ahead, but never behind.
            if (hours < 0) {
                jump(Duration.ofHours(1), agents);
            }
        }
    }

    @Test
    void runEndsNoEarlierThanItBegan() {
        List<TestingAgent> agents = lab.agents(3);
        String run = project.submitOne(DEFINITION);
        begin(agents);
        try {
            jump(Duration.ofHours(-1), agents);
            project.member().post("/runs/" + run + "/cancel").expect(200);
        } finally {
            jump(Duration.ofHours(1), agents);
        }

        JsonNode over = project.run(run);
        assertThat(Instant.parse(over.path("endedAt").stringValue()))
                .isAfterOrEqualTo(Instant.parse(over.path("startedAt").stringValue()));
    }
}
