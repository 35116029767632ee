package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Runs select workers by the numeric library that the agents chose. */
@RunningService
class BackendPlacementIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "run",
             "dataset": {"name": "mnist", "limit": 3000},
             "network": {"layers": ["flatten", {"dense": 10}]},
             "training": {"epochs": 1, "batchSize": 10},
             "workers": {"replicas": 1, "selector": {"backend": "nd4j"}}}
            """;

    private final TestingLab lab;
    private final TestingLab.Project project;

    BackendPlacementIT(@Autowired TestingLab lab) {
        this.lab = lab;
        this.project = lab.project();
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private TestingAgent agent(String label, String backend) {
        return lab.join(
                new Registration(
                        "agent-" + label,
                        new HostDescription(
                                "host", 8, 2, 1L << 34, "Linux amd64", backend, 1, "Xeon", "AVX2"),
                        "agent-" + label + ":5701",
                        Map.of("backend", label, "device", "cpu"),
                        Credential.random(new SecureRandom())));
    }

    @Test
    void runGetsAWorkerOfTheBackendThatItSelects() {
        TestingAgent oneDnn = agent("onednn", "oneDNN 3.11.0");
        TestingAgent nd4j = agent("nd4j", "ND4J's own operations");
        TestingLab.beat(List.of(oneDnn, nd4j));

        String run = project.submitOne(DEFINITION);

        Assignment.Training training = nd4j.training();
        JsonNode replica = project.run(run).at("/replicas/0");
        assertThat(training.run().toString()).isEqualTo(run);
        assertThat(replica.path("workerName").stringValue()).isEqualTo("agent-nd4j");
        assertThat(replica.path("backend").stringValue()).isEqualTo("ND4J's own operations");
    }
}
