package dev.equipoise.app.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.SoftwareVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

@RunningService
class PlanIT {

    private final TestingLab lab;
    private final TestingLab.Project project;

    PlanIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** 100 rounds of 30 samples on 3 replicas. */
    private static String definition(String more) {
        return """
        {"apiVersion": "equipoise/v1", "name": "planned", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": 3}%s}
        """
                .formatted(more);
    }

    private static String plan(String definition, String more) {
        return "{\"definition\": %s%s}".formatted(definition, more);
    }

    private JsonNode planned(String body) {
        return project.member().post("/plans", body).expect(200);
    }

    private static JsonNode own(JsonNode plan) {
        return StreamSupport.stream(plan.path("ranking").spliterator(), false)
                .filter(it -> it.path("own").booleanValue())
                .findFirst()
                .orElseThrow();
    }

    private void profile(TestingAgent agent, double secondsPerSample) {
        lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", Map.of("network", "mnist-cnn"))
                .expect(202);
        agent.measure(agent.profiling(), secondsPerSample);
    }

    @Test
    void planUsesProfiledWorkersAndNamesTheOthers() {
        List<TestingAgent> agents = lab.agents(4);
        profile(agents.get(0), 0.004);
        profile(agents.get(1), 0.002);
        profile(agents.get(2), 0.001);

        JsonNode plan = planned(plan(definition(""), ""));

        assertThat(plan.path("leftOut").toString())
                .contains("worker agent-3: it has no profile of training-step:mnist-cnn");
        JsonNode own = own(plan);
        assertThat(own.path("computeSeconds").doubleValue())
                .as("1000 samples of the slowest worker, with any bias correction")
                .isPositive();
        assertThat(own.at("/ranks/0/worker").stringValue()).isEqualTo("agent-0");
        assertThat(own.at("/ranks/2/seconds/waitSeconds").doubleValue())
                .isGreaterThan(own.at("/ranks/1/seconds/waitSeconds").doubleValue());
        assertThat(own.path("reason").stringValue()).contains("agent-2 would wait");
        assertThat(own.path("doubts").toString()).contains("links without measurement");
        assertThat(plan.path("considered").intValue()).isGreaterThan(20);
        assertThat(plan.at("/ranking/0/settings").toString()).contains("workers.replicas=");
        assertThat(plan.path("advice").stringValue()).isNotBlank();
        assertThat(plan.at("/ranking/0/tie").intValue()).isEqualTo(1);
        assertThat(plan.path("tied").intValue()).isPositive();
        assertThat(plan.at("/ranking/0/epochSecondsLow").doubleValue())
                .isLessThan(plan.at("/ranking/0/epochSeconds").doubleValue());
        assertThat(plan.at("/ranking/0/epochSecondsHigh").doubleValue())
                .isGreaterThan(plan.at("/ranking/0/epochSeconds").doubleValue());
        agents.get(3).beat(agents);
    }

    /** Registers an agent with the data address {@code NAME:5702}; the first is the oldest. */
    private TestingAgent joinWithAddress(String name) {
        lab.clock().advance(Duration.ofMillis(1));
        Registration plain = TestingLab.registration(name);
        return lab.join(
                new Registration(
                        plain.name(),
                        plain.host(),
                        plain.clusterAddress(),
                        plain.labels(),
                        plain.credential(),
                        SoftwareVersion.OWN,
                        name + ":5702"));
    }

    @Test
    void planUsesWorkersThatReachOneAnotherAndNamesTheOthers() {
        TestingAgent north = joinWithAddress("north");
        TestingAgent south = joinWithAddress("south");
        TestingLab.beat(List.of(north, south));
        profile(north, 0.004);
        profile(south, 0.002);
        var failed = new ProbeResult(south.id(), "south:5702", "connection refused");
        north.client()
                .post(
                        "/agents/" + north.id() + "/heartbeat",
                        new Heartbeat(
                                "north:5701",
                                Set.of(north.id(), south.id()),
                                false,
                                null,
                                List.of(failed),
                                null))
                .expect(200);

        JsonNode plan =
                planned(plan(definition("").replace("\"replicas\": 3", "\"replicas\": 1"), ""));

        assertThat(plan.path("leftOut").toString())
                .contains(
                        "worker south: south cannot be reached by north at south:5702: connection refused");
        assertThat(plan.path("ranking").toString()).contains("north").doesNotContain("south");
    }

    @Test
    void imaginedWorkersArePlannedInYaml() {
        JsonNode plan =
                project.member()
                        .call(
                                HttpMethod.POST,
                                "/plans",
                                """
                                definition:
                                  apiVersion: equipoise/v1
                                  name: planned
                                  dataset: { name: mnist, limit: 3000 }
                                  network: { preset: mnist-cnn }
                                  training: { epochs: 1, batchSize: 10 }
                                  workers: { replicas: 2 }
                                workers:
                                - { name: fast, samplesPerSecond: 1000 }
                                - { name: slow, samplesPerSecond: 1000, slowDown: 4 }
                                link: { latencyMicroseconds: 1000, megabytesPerSecond: 1 }
                                """,
                                MediaType.APPLICATION_YAML)
                        .expect(200);

        assertThat(plan.path("advice").stringValue())
                .startsWith("Fastest epoch: one worker alone, fast, ");
        assertThat(own(plan).path("reason").stringValue()).contains("one worker alone is faster");
        assertThat(plan.path("leftOut")).isEmpty();
    }

    @Test
    void violationsHavePointers() {
        assertThat(
                        project.member()
                                .post(
                                        "/plans",
                                        plan(definition(", \"nothing\": 1"), ", \"target\": 2"))
                                .problem(400, "invalid-definition")
                                .at("/errors/0/pointer")
                                .stringValue())
                .isEqualTo("/definition/nothing");
        var answer =
                project.member()
                        .post(
                                "/plans",
                                plan(
                                        definition(""),
                                        ", \"workers\": [{\"name\": \"a\", \"samplesPerSecond\": -1}]"));
        answer.problem(400, "invalid-request");
        assertThat(answer.violations())
                .containsExactly("/workers/0/samplesPerSecond must be from 1.0E-6 to 1.0E12");
    }

    @Test
    void onlyUsersMayPlan() {
        lab.nobody().post("/plans", plan(definition(""), "")).problem(401, "unauthenticated");
        lab.agents(1)
                .getFirst()
                .client()
                .post("/plans", plan(definition(""), ""))
                .problem(403, "forbidden");
    }

    /** A network that no other test uses, so that the prediction class is separate. */
    private static final String VIRTUAL =
            """
            {"apiVersion": "equipoise/v1", "name": "validated", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"layers": ["flatten", {"dense": 17}, "relu", {"dense": 10}]},
             "training": {"epochs": 1, "batchSize": 10}, "workers": {"replicas": 3},
             "execution": {"kind": "virtual", "samplesPerSecond": 100}}
            """;

    /** Completes a run whose epoch takes 1.5 times the modeled seconds. */
    private String completed(TestingLab.Project of) {
        TestingAgent agent = lab.agents(1).getFirst();
        String run = of.submitOne(VIRTUAL);
        Assignment simulation = agent.work();
        for (int rank = 0; rank < 3; rank++) {
            agent.tell(simulation, new RunReport.ReplicaReady(rank, 0, "start"));
        }
        await().untilAsserted(() ->
                assertThat(of.run(run).at("/prediction/modelSeconds").doubleValue()).isPositive());
        double measured = 1.5 * of.run(run).at("/prediction/modelSeconds").doubleValue();
        for (int rank = 0; rank < 3; rank++) {
            agent.tell(
                    simulation,
                    TestingEpochs.ofRank(
                            rank,
                            TestingEpochs.epoch(
                                    1,
                                    1000,
                                    measured - 0.5,
                                    0.375,
                                    0.125,
                                    measured,
                                    1000,
                                    0.5,
                                    new EpochFinished.TestScore(0.9, 0.4),
                                    "end")));
        }
        agent.tell(simulation, new Outcome.Finished());
        await().untilAsserted(() ->
                assertThat(of.run(run).path("state").stringValue()).isEqualTo("COMPLETED"));
        agent.leave();
        return run;
    }

    @Test
    void completedRunsCorrectLaterPredictions() {
        String first = completed(project);
        String hidden = completed(lab.project());
        completed(project);

        JsonNode validation = project.run(first).path("validation");
        assertThat(validation.at("/ranks/1/measured/waitSeconds").doubleValue()).isEqualTo(0.125);
        assertThat(validation.at("/ranks/1/predicted/computeSeconds").doubleValue()).isPositive();
        assertThat(validation.path("error").doubleValue()).isNegative();

        JsonNode plan = planned(plan(VIRTUAL, ", \"target\": 0.85"));

        JsonNode own = own(plan);
        JsonNode trusted =
                StreamSupport.stream(plan.at("/trust/kinds").spliterator(), false)
                        .filter(it ->
                                it.at("/kind/network").stringValue().startsWith("layers-")
                                        && it.at("/kind/execution").stringValue().equals("virtual"))
                        .findFirst()
                        .orElseThrow();
        assertThat(trusted.path("factor").doubleValue()).isEqualTo(1.5, within(1e-9));
        assertThat(own.path("epochSeconds").doubleValue())
                .isEqualTo(
                        1.5 * project.run(first).at("/prediction/modelSeconds").doubleValue(),
                        within(1e-9));
        assertThat(own.at("/trust/runs").intValue()).isEqualTo(3);
        assertThat(own.path("uncertainty").doubleValue()).isEqualTo(0, within(1e-9));
        assertThat(own.at("/learning/runs").intValue()).as("of the caller's project").isEqualTo(2);
        assertThat(own.path("secondsToTarget").doubleValue())
                .isEqualTo(own.path("epochSeconds").doubleValue());
        assertThat(plan.at("/ranking/0/secondsToTarget").isNumber()).isTrue();
        assertThat(plan.at("/trust/visibleRuns").toString()).contains(first).doesNotContain(hidden);
    }

    /**
     * Assumed links are fast enough for several replicas, but the two slower workers do not help.
     */
    @Test
    void automaticConfigurationIsChosenAfterProfiling() {
        List<TestingAgent> agents = lab.agents(3);
        String run =
                project.submitOne(
                        definition(", \"topology\": \"auto\"")
                                .replace("{\"replicas\": 3}", "\"auto\""));
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/message").stringValue())
                        .isEqualTo("the profiles of 3 workers are being measured"));
        assertThat(project.run(run).at("/configuration/automatic/choices"))
                .extracting(JsonNode::stringValue)
                .containsExactlyInAnyOrder("topology", "workers.replicas");

        for (int i = 0; i < 3; i++) {
            agents.get(i).measure(agents.get(i).profiling(), 0.004 / (1 << i));
        }

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("PLACED"));
        JsonNode placed = project.run(run);
        assertThat(placed.at("/configuration/workers/replicas").intValue()).isEqualTo(1);
        assertThat(placed.path("rounds").intValue()).isEqualTo(300);
        assertThat(placed.path("replicas"))
                .extracting(it -> it.path("workerName").stringValue())
                .containsExactly("agent-2");
        assertThat(placed.at("/configuration/automatic/reason").stringValue())
                .startsWith("first of ")
                .containsPattern(
                        "configurations on 3 workers: .*(:|is) one worker alone, agent-2, [0-9.]+ s \\(expected");
        assertThat(placed.at("/configuration/automatic/definition").isMissingNode()).isTrue();
        Assignment.Training training = agents.get(2).training();
        agents.get(2).tell(training, new RunReport.ReplicaReady(0, 0, "start"));
        assertThat(project.prediction(run).path("epochSeconds").doubleValue()).isPositive();
    }

    /** The third worker is four times as fast as the first and becomes rank 0. */
    @Test
    void automaticBatchCountsFollowTheProfiles() {
        List<TestingAgent> agents = lab.agents(3);
        String run =
                project.submitOne(
                        definition(
                                ", \"synchronization\": \"async\", \"partitioning\":"
                                        + " {\"kind\": \"batch-counts\", \"counts\": \"auto\"}"));
        await().untilAsserted(() ->
                assertThat(project.run(run).at("/waiting/code").stringValue())
                        .isEqualTo("profiling"));

        for (int i = 0; i < 3; i++) {
            agents.get(i).measure(agents.get(i).profiling(), 0.004 / (1 << i));
        }

        await().untilAsserted(() ->
                assertThat(project.run(run).path("state").stringValue()).isEqualTo("PLACED"));
        JsonNode placed = project.run(run);
        assertThat(placed.at("/configuration/partitioning/counts"))
                .extracting(JsonNode::intValue)
                .containsExactly(4, 2, 1);
        assertThat(placed.at("/configuration/synchronization/maxStaleness").intValue())
                .isEqualTo(4);
        assertThat(placed.path("replicas"))
                .extracting(it -> it.path("workerName").stringValue())
                .containsExactly("agent-2", "agent-1", "agent-0");
        assertThat(placed.at("/batchCounts/counts").size()).isEqualTo(3);
        assertThat(placed.at("/configuration/automatic/reason").stringValue())
                .contains("[4, 2, 1] mini-batches a round keep 100 % of the replicas busy");
    }

    @Test
    void automaticSynchronizationOfVirtualRunNeedsNoProfiles() {
        TestingAgent agent = lab.agents(1).getFirst();
        String run =
                project.submitOne(
                        VIRTUAL.replace(
                                "\"execution\"", "\"synchronization\": \"auto\", \"execution\""));

        var simulation = (Assignment.Simulation) agent.work();

        JsonNode placed = project.run(run);
        assertThat(placed.at("/configuration/automatic/reason").stringValue())
                .contains(" configurations on 1 workers: ")
                .contains("Only epoch times are ranked, as epochs to accuracy are unknown.");
        assertThat(placed.at("/configuration/synchronization/kind").stringValue())
                .as("methods with rare synchronization have the shortest epochs")
                .isIn("local-sgd", "diloco", "async");
        assertThat(simulation.plan().division().ranks()).isEqualTo(3);
    }
}
