package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.util.List;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/** A completed experiment with two seeds on two workers with known speed functions. */
public record TestingHistory(
        TestingLab.Project project,
        List<TestingAgent> agents,
        String experiment,
        List<String> runs,
        String profile) {

    public static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "history", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 2}, "seeds": [1, 2]}
            """;

    public static TestingHistory in(TestingLab lab) {
        TestingLab.Project project = lab.project();
        List<TestingAgent> agents = lab.agents(2);
        List<String> profiles = agents.stream().map(it -> profile(lab, it)).toList();
        JsonNode experiment = project.define(DEFINITION);
        String id = experiment.path("id").stringValue();
        List<String> runs = run(project, agents, id);
        return new TestingHistory(project, agents, id, runs, profiles.getFirst());
    }

    /**
     * Queues the runs of an experiment with two seeds, and lets the agents report their training.
     */
    public static List<String> run(
            TestingLab.Project project, List<TestingAgent> agents, String experiment) {
        List<String> runs =
                project.member()
                        .post("/experiments/" + experiment + "/runs")
                        .expect(202)
                        .path("items")
                        .valueStream()
                        .map(it -> it.path("id").stringValue())
                        .toList();
        runs.forEach(run -> {
            TestingLab.beat(agents);
            train(agents);
            await().untilAsserted(() ->
                    assertThat(project.run(run).path("state").stringValue())
                            .isEqualTo("COMPLETED"));
        });
        return runs;
    }

    private static void train(List<TestingAgent> agents) {
        List<Assignment.Training> parts = agents.stream().map(TestingAgent::training).toList();
        tell(agents, parts, new RunReport.ReplicaReady(0, 0.002, "start"));
        for (int epoch = 1; epoch <= 2; epoch++) {
            tell(
                    agents,
                    parts,
                    new RunReport.Observed(
                            0,
                            "train/loss",
                            1,
                            List.of(150L * epoch - 10, 150L * epoch - 5),
                            List.of(epoch - 0.2, epoch - 0.1),
                            List.of(0.6 / epoch, 0.5 / epoch),
                            0));
            tell(
                    agents,
                    parts,
                    TestingEpochs.epoch(
                            epoch,
                            1500,
                            1,
                            0.25,
                            0.75,
                            2,
                            1000L * epoch,
                            0.5 / epoch,
                            new EpochFinished.TestScore(0.8 + epoch / 100.0, 0.4),
                            "weights-" + epoch));
        }
        tell(agents, parts, new Outcome.Finished());
    }

    private static void tell(
            List<TestingAgent> agents, List<Assignment.Training> parts, AgentEvent event) {
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i).tell(parts.get(i), event);
        }
    }

    private static String profile(TestingLab lab, TestingAgent agent) {
        String curve =
                """
                # kernel: training-step:mnist-cnn
                # date: %s
                size,mean_s,reps,ci_s,sd_s
                8,0.01,34,0.0002,0.0006
                16,0.009,34,0.0002,0.0006
                32,0.04,34,0.0002,0.0006
                """
                        .formatted(lab.clock().instant());
        return lab.administrator()
                .call(
                        HttpMethod.POST,
                        "/workers/" + agent.id() + "/profiles",
                        curve,
                        MediaType.parseMediaType("text/csv"))
                .expect(201)
                .path("id")
                .stringValue();
    }
}
