package dev.equipoise.app.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class ComparisonIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "compared",
             "dataset": {"name": "mnist", "limit": 100}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 2}, "workers": {"replicas": 1}, "seeds": [1, 2, 3]}
            """;

    private final TestingLab lab;

    ComparisonIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static void train(TestingAgent agent, double firstEpoch, double secondEpoch) {
        Assignment.Training part = agent.training();
        agent.tell(part, new AgentEvent.ReplicaReady(0, "start"));
        agent.tell(part, epoch(1, firstEpoch), epoch(2, secondEpoch), new AgentEvent.Finished());
    }

    private static AgentEvent epoch(int epoch, double seconds) {
        return new AgentEvent.EpochFinished(
                epoch,
                100,
                seconds / 2,
                seconds / 4,
                seconds / 4,
                seconds,
                500L * epoch,
                0.5,
                new AgentEvent.Evaluated(0.8 + epoch / 100.0, 0.4),
                "p");
    }

    @Test
    void runsAreMeasuredAgainstTheFirst() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        List<String> runs =
                project.submit(DEFINITION).stream().map(it -> it.path("id").stringValue()).toList();
        train(agent, 4, 8);
        train(agent, 2, 4);

        JsonNode comparison =
                project.member().get("/comparisons?runs=" + String.join(",", runs)).expect(200);

        assertThat(comparison.path("baseline").stringValue()).isEqualTo(runs.getFirst());
        assertThat(comparison.path("runs"))
                .extracting(it -> it.path("run").stringValue())
                .containsExactlyElementsOf(runs);
        JsonNode baseline = comparison.at("/runs/0");
        assertThat(baseline.path("epochSeconds").doubleValue()).isEqualTo(6);
        assertThat(baseline.path("speedup").doubleValue()).isEqualTo(1);
        assertThat(baseline.path("predictionError").isNull()).isTrue();
        JsonNode faster = comparison.at("/runs/1");
        assertThat(faster.path("seed").intValue()).isEqualTo(2);
        assertThat(faster.path("speedup").doubleValue()).isEqualTo(2);
        assertThat(faster.path("testAccuracy").doubleValue()).isEqualTo(0.82, within(1e-12));
        assertThat(faster.path("replicasIdentical").booleanValue()).isTrue();
        assertThat(faster.at("/shares/0").intValue()).isEqualTo(100);
        assertThat(faster.at("/ranks/0/worker").stringValue()).isEqualTo("agent-0");
        assertThat(faster.at("/ranks/0/computeSeconds").doubleValue()).isEqualTo(1.5);
        assertThat(faster.at("/ranks/0/transferSeconds").doubleValue()).isEqualTo(0.75);
        assertThat(faster.at("/ranks/0/bytesSent").intValue()).isEqualTo(750);
        assertThat(comparison.at("/runs/2/speedup").isNull()).isTrue();
        assertThat(comparison.at("/runs/2/epochSeconds").isNull()).isTrue();
    }

    @Test
    void anEpochOfNoTimeIsNoSpeedUp() {
        TestingLab.Project project = lab.project();
        TestingAgent agent = lab.agents(1).getFirst();
        List<String> runs =
                project.submit(DEFINITION).stream().map(it -> it.path("id").stringValue()).toList();
        train(agent, 4, 8);
        train(agent, 0, 0);

        JsonNode comparison =
                project.member().get("/comparisons?runs=" + String.join(",", runs)).expect(200);

        assertThat(comparison.at("/runs/1/epochSeconds").doubleValue()).isZero();
        assertThat(comparison.at("/runs/1/speedup").isNull()).isTrue();
    }

    @Test
    void atMostAHundredRunsAreCompared() {
        TestingLab.Project project = lab.project();
        String run = project.submit(DEFINITION).getFirst().path("id").stringValue();
        String many = IntStream.range(0, 101).mapToObj(_ -> run).collect(Collectors.joining(","));

        Answer answer = project.member().get("/comparisons?runs=" + many);

        answer.problem(400, "invalid-request");
        assertThat(answer.violations()).containsExactly("?runs size must be between 1 and 100");
    }
}
