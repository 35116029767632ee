package dev.equipoise.app.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@RunningService
class WaterfallIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    WaterfallIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "divided", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": 1}%s}
        """
                .formatted(more);
    }

    private JsonNode waterfall(String run) {
        return project.member().get("/runs/" + run + "/waterfall").expect(200);
    }

    private static double sum(JsonNode waterfall) {
        return waterfall
                .path("segments")
                .valueStream()
                .mapToDouble(it -> it.path("seconds").doubleValue())
                .sum();
    }

    private static List<String> kinds(JsonNode waterfall) {
        return waterfall
                .path("segments")
                .valueStream()
                .map(it -> it.path("kind").stringValue())
                .toList();
    }

    private static Instant time(JsonNode run, String field) {
        return Instant.parse(run.path(field).stringValue());
    }

    /** Lets an agent train a run in 30 s of the service's clock, of which it reports 25 s. */
    private String trained(String more) {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = project.submitOne(definition(more));
        Assignment part = agent.work();
        agent.tell(part, new RunReport.ReplicaReady(0, 0, "start"));
        lab.clock().advance(Duration.ofSeconds(30));
        agent.beat(List.of(agent)).expect(200);
        agent.tell(
                part,
                TestingEpochs.epoch(
                        1,
                        3000,
                        8,
                        4,
                        3,
                        20,
                        1000,
                        0.5,
                        new EpochFinished.TestScore(0.9, 0.4),
                        "weights"),
                new RunReport.PhasesElapsed(0, 25, new RunPhases(0, 1, 0, 0, 0, 20, 4, 0, 0)),
                new Outcome.Finished());
        return run;
    }

    @Test
    void segmentsOfACompletedRunSumToItsDuration() {
        String id = trained("");

        JsonNode run = project.run(id);
        JsonNode waterfall = waterfall(id);
        assertThat(run.path("state").stringValue()).isEqualTo("COMPLETED");
        Duration duration = Duration.between(time(run, "queuedAt"), time(run, "endedAt"));
        assertThat(sum(waterfall)).isCloseTo(duration.toNanos() / 1e9, within(1e-6));
        assertThat(waterfall.path("seconds").doubleValue()).isEqualTo(duration.toNanos() / 1e9);
        assertThat(waterfall.path("open").booleanValue()).isFalse();
        assertThat(kinds(waterfall))
                .containsExactly("queued", "placed", "data", "training", "evaluation", "report");
    }

    @Test
    void trainingIsDividedIntoThePhasesOfItsEpochs() {
        JsonNode waterfall = waterfall(trained(""));

        JsonNode training =
                waterfall
                        .path("segments")
                        .valueStream()
                        .filter(it -> it.path("kind").stringValue().equals("training"))
                        .findFirst()
                        .orElseThrow();
        assertThat(training.path("source").stringValue()).isEqualTo("rank");
        assertThat(training.path("generation").intValue()).isEqualTo(1);
        assertThat(training.path("seconds").doubleValue()).isCloseTo(20, within(1e-6));
        assertThat(training.at("/epochs/computeSeconds").doubleValue()).isCloseTo(8, within(1e-6));
        assertThat(training.at("/epochs/transferSeconds").doubleValue()).isCloseTo(4, within(1e-6));
        assertThat(training.at("/epochs/waitSeconds").doubleValue()).isCloseTo(3, within(1e-6));
        assertThat(training.at("/epochs/otherSeconds").doubleValue()).isCloseTo(5, within(1e-6));
    }

    /** The seconds that its ranks report are those of a virtual clock. */
    @Test
    void virtualRunIsDividedByItsStatesOnly() {
        String run =
                trained(", \"execution\": {\"kind\": \"virtual\", \"samplesPerSecond\": 1000}");

        assertThat(kinds(waterfall(run)))
                .containsExactly("queued", "placed", "preparation", "training");
    }

    @Test
    void queuedRunWaitsUntilThePresent() {
        String run = project.submitOne(definition(""));
        lab.clock().advance(Duration.ofSeconds(20));

        JsonNode waterfall = waterfall(run);

        assertThat(kinds(waterfall)).containsExactly("queued");
        assertThat(waterfall.path("open").booleanValue()).isTrue();
        assertThat(sum(waterfall)).isGreaterThanOrEqualTo(20);
    }

    @Test
    void waterfallOfAnotherProjectIsNotFound() {
        String run = project.submitOne(definition(""));

        lab.project().member().get("/runs/" + run + "/waterfall").problem(404, "not-found");
    }
}
