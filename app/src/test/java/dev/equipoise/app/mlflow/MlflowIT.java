package dev.equipoise.app.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@RunningService
class MlflowIT {

    private final TestingLab lab;
    private final JsonMapper json;

    MlflowIT(@Autowired TestingLab lab, @Autowired JsonMapper json) {
        this.lab = lab;
        this.json = json;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    @Test
    void runsAreExportedAsCallsOfATrackingServer() {
        TestingHistory history = TestingHistory.in(lab);

        TestingClient.Text text =
                history.project().member().text("/experiments/" + history.experiment() + "/mlflow");

        assertThat(text.type()).isEqualTo("application/x-ndjson");
        List<JsonNode> calls = text.body().lines().map(json::readTree).toList();
        assertThat(calls)
                .extracting(
                        it -> it.path("path").stringValue().substring("/api/2.0/mlflow/".length()))
                .containsExactly(
                        "experiments/create",
                        "runs/create",
                        "runs/log-batch",
                        "runs/update",
                        "runs/create",
                        "runs/log-batch",
                        "runs/update");
        assertThat(calls.getFirst().at("/body/name").stringValue())
                .isEqualTo("history (version 1)");
        JsonNode batch = calls.get(2).path("body");
        assertThat(values(batch.path("params")))
                .containsEntry("training.epochs", "2")
                .containsEntry("dataset.name", "mnist")
                .containsEntry("seed", "1");
        assertThat(values(batch.path("tags")))
                .containsEntry("mlflow.runName", "history: seed 1")
                .containsEntry("equipoise.run", history.runs().getFirst())
                .containsEntry("equipoise.state", "COMPLETED");
        List<JsonNode> accuracies =
                batch.path("metrics")
                        .valueStream()
                        .filter(it -> it.path("key").stringValue().equals("test_accuracy"))
                        .toList();
        assertThat(accuracies).extracting(it -> it.path("step").intValue()).containsExactly(1, 2);
        assertThat(
                        accuracies.getLast().path("timestamp").longValue()
                                - accuracies.getFirst().path("timestamp").longValue())
                .isEqualTo(2000);
    }

    private static Map<String, String> values(JsonNode pairs) {
        Map<String, String> values = new TreeMap<>();
        pairs.forEach(
                it -> values.put(it.path("key").stringValue(), it.path("value").stringValue()));
        return values;
    }

    @Test
    void experimentOfAnotherProjectIsNotFound() {
        TestingLab.Project project = lab.project();
        String experiment = project.define(TestingHistory.DEFINITION).path("id").stringValue();
        TestingClient other = lab.project().member();

        other.get("/experiments/" + experiment + "/mlflow").problem(404, "not-found");
        project.member().post("/experiments/" + experiment + "/runs").expect(202);
        project.member()
                .get("/experiments/" + experiment + "/mlflow")
                .problem(409, "illegal-state");
    }
}
