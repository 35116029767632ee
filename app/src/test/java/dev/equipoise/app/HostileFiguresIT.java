package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that an agent that reports figures that cannot be harms only its own run. */
@RunningService
class HostileFiguresIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "flooded",
             "dataset": {"name": "mnist", "limit": 1000}, "network": {"preset": "mnist-cnn"},
             "training": {"epochs": 1, "batchSize": 10}, "workers": {"replicas": 1},
             "trace": true}
            """;

    /** Replace each number of a report; the first is no JSON, and others become infinite. */
    private static final List<String> FIGURES =
            List.of(
                    "NaN",
                    "\"NaN\"",
                    "\"Infinity\"",
                    "\"-Infinity\"",
                    "1e400",
                    "-1e400",
                    "1.7e308",
                    "-1.7e308",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "1e30",
                    "-1",
                    "null");

    private static final Pattern NUMBER =
            Pattern.compile("(?<=[:\\[,])-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?(?=[,\\]}])");

    private static final int MANY = 50;

    private final TestingLab lab;
    private final JsonMapper json;

    HostileFiguresIT(@Autowired TestingLab lab, @Autowired JsonMapper json) {
        this.lab = lab;
        this.json = json;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Returns an event of each kind that has figures and ends nothing. */
    private static List<AgentEvent> events() {
        return List.of(
                new RunReport.ReplicaReady(0, 0.01, "p"),
                new RunReport.RoundReached(0, 1, 1),
                new Observed(
                        0,
                        Observed.TRAINING_LOSS,
                        1,
                        List.of(1L, 2L),
                        List.of(0.5, 1.5),
                        List.of(2.5, 1.25),
                        3),
                new RunReport.Traced(
                        0,
                        1,
                        RunReport.Strand.MAIN,
                        List.of(RunReport.Phase.COMPUTE, RunReport.Phase.WAIT),
                        List.of(10L, 20L),
                        List.of(5L, 5L),
                        1),
                new RunReport.Decided(0, 1, RunReport.Strand.MAIN, List.of(1, 0)),
                new RunReport.PhasesElapsed(0, 1.5, RunPhases.ofTraining(1.5)),
                epoch());
    }

    private static EpochFinished epoch() {
        return TestingEpochs.epoch(
                1, 1000, 1.5, 0.5, 0.25, 2.5, 100, 0.5, new TestScore(0.9, 0.5), "p");
    }

    /** Returns the report of an event with each of its numbers replaced by each figure. */
    private List<String> hostile(Assignment part, long sequence, AgentEvent event) {
        String report =
                json.writeValueAsString(new Report(part.generation(), sequence, List.of(event)));
        List<String> hostile = new ArrayList<>();
        for (MatchResult number : NUMBER.matcher(report).results().toList()) {
            for (String figure : FIGURES) {
                hostile.add(
                        report.substring(0, number.start())
                                + figure
                                + report.substring(number.end()));
            }
        }
        return hostile;
    }

    /** Sends all hostile reports; each must be answered, and most are rejected. */
    private void flood(TestingAgent agent, Assignment part, TestingAgent honest) {
        long taken = 0;
        int rejected = 0;
        int sent = 0;
        for (AgentEvent event : events()) {
            int numbers = hostile(part, 1, event).size();
            for (int i = 0; i < numbers; i++) {
                String report = hostile(part, taken + 1, event).get(i);
                int status =
                        agent.client()
                                .post("/assignments/" + part.id() + "/events", report)
                                .status();
                assertThat(status).as(report).isBetween(200, 499);
                taken += status < 300 ? 1 : 0;
                rejected += status == 400 ? 1 : 0;
                sent++;
                if (sent % MANY == 0) {
                    honest.beat(List.of(honest, agent)).expect(200);
                }
            }
        }
        assertThat(rejected).as("of %d", sent).isGreaterThan(sent / 2);
    }

    @Test
    void floodOfImpossibleFiguresHarmsOnlyItsOwnRun() {
        TestingLab.Project project = lab.project();
        List<TestingAgent> agents = lab.agents(2);
        List<String> runs = List.of(project.submitOne(DEFINITION), project.submitOne(DEFINITION));
        TestingAgent hostile = agents.getFirst();
        TestingAgent honest = agents.getLast();
        Assignment.Training flooded = hostile.training();
        Assignment.Training trained = honest.training();
        honest.tell(trained, new RunReport.ReplicaReady(0, 0.01, "start"));

        flood(hostile, flooded, honest);
        honest.tell(trained, epoch(), new Outcome.Finished());

        JsonNode completed = project.run(trained.run().toString());
        assertThat(completed.path("state").stringValue()).isEqualTo("COMPLETED");
        assertThat(completed.path("epochSeconds").doubleValue()).isEqualTo(2.5);
        for (String run : runs) {
            for (String view : List.of("", "/metrics", "/events?limit=500", "/log", "/trace")) {
                assertReadable(project, "/runs/" + run + view);
            }
        }
        assertReadable(project, "/runs?limit=500");
    }

    private static void assertReadable(TestingLab.Project project, String path) {
        Answer answer = project.member().get(path);
        assertThat(answer.status()).as(path).isEqualTo(200);
        assertThat(answer.body().toString()).doesNotContain("NaN", "Infinity");
    }
}
