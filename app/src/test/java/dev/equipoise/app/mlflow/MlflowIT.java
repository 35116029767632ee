package dev.equipoise.app.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingLab;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

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
                .containsEntry("mlflow.runName", "history 1, seed 1")
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
    void folderHasTheLayoutOfTheFileStore() throws IOException {
        TestingHistory history = TestingHistory.in(lab);
        String path = "/experiments/" + history.experiment() + "/mlruns";

        byte[] zip = history.project().member().bytes(path);

        Map<String, String> files = unzip(zip);
        String folder = files.keySet().iterator().next().replace("meta.yaml", "");
        String run = folder + history.runs().getFirst().replace("-", "") + "/";
        assertThat(folder).matches("mlruns/[0-9]{18}/");
        JsonNode experiment = new YAMLMapper().readTree(files.get(folder + "meta.yaml"));
        assertThat(experiment.path("experiment_id").stringValue())
                .isEqualTo(folder.split("/", -1)[1]);
        assertThat(experiment.path("name").stringValue()).isEqualTo("history (version 1)");
        assertThat(experiment.path("lifecycle_stage").stringValue()).isEqualTo("active");
        JsonNode meta = new YAMLMapper().readTree(files.get(run + "meta.yaml"));
        assertThat(meta.path("run_id").stringValue())
                .isEqualTo(history.runs().getFirst().replace("-", ""));
        assertThat(meta.path("status").intValue()).isEqualTo(3);
        assertThat(meta.path("end_time").longValue())
                .isGreaterThanOrEqualTo(meta.path("start_time").longValue());
        assertThat(files).containsEntry(run + "params/training.batchSize", "10");
        assertThat(files).containsEntry(run + "tags/equipoise.seed", "1");
        assertThat(files).containsEntry(run + "artifacts/", "");
        assertThat(files.getOrDefault(run + "metrics/train_loss", "").lines())
                .hasSize(2)
                .last()
                .asString()
                .matches("[0-9]{13} 0\\.25 2");
        assertThat(history.project().member().bytes(path)).isEqualTo(zip);
    }

    private static Map<String, String> unzip(byte[] zip) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void experimentOfAnotherProjectIsNotFound() {
        TestingLab.Project project = lab.project();
        String experiment = project.define(TestingHistory.DEFINITION).path("id").stringValue();
        TestingClient other = lab.project().member();

        other.get("/experiments/" + experiment + "/mlflow").problem(404, "not-found");
        other.get("/experiments/" + experiment + "/mlruns").problem(404, "not-found");
        project.member().post("/experiments/" + experiment + "/runs").expect(202);
        project.member()
                .get("/experiments/" + experiment + "/mlflow")
                .problem(409, "illegal-state");
    }
}
