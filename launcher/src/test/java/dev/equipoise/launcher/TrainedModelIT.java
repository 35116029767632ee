package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Trains with real agents, predicts with the model, and trains on from it. */
@ExtendWith(SharedLabs.class)
class TrainedModelIT {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: %s
            dataset: { name: mnist, limit: 600 }
            network: { layers: [flatten, { dense: 10 }] }
            training: { epochs: %d, optimizer: { kind: sgd, learningRate: %s } }
            workers: { replicas: 2 }
            """;

    /** Smallest rate: a step changes no weight, so that an epoch ends with the weights it had. */
    private static final String STANDSTILL = "1.2e-38";

    @TempDir private Path folder;

    private final StandingLab lab;

    TrainedModelIT(StandingLab lab) {
        this.lab = lab;
    }

    /** Runs a definition to its end, and returns the run. */
    private JsonNode run(String definition) throws Exception {
        Path file = Files.writeString(folder.resolve("definition.yaml"), definition);
        Path summary = folder.resolve("summary.json");
        TestingCommand.Ended ended =
                TestingCommand.run(
                        TestingCommand.launch("run", file.toString(), "--summary=" + summary),
                        lab.environment());
        assertThat(ended.status()).as(ended.output()).isZero();
        String id = JsonMapper.shared().readTree(summary.toFile()).at("/runs/0/run").asString();
        try (ServiceApi api = lab.api()) {
            return api.get("runs/" + id);
        }
    }

    private Path download(String run) throws IOException, InterruptedException {
        Path file = folder.resolve("model.safetensors");
        String path = "/api/v1/runs/%s/model".formatted(run);
        HttpRequest request =
                HttpRequest.newBuilder(lab.address().resolve(path))
                        .header(
                                "Authorization",
                                "Bearer "
                                        + Objects.requireNonNull(
                                                lab.environment().get("EQUIPOISE_TOKEN")))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofFile(file)).statusCode())
                    .isEqualTo(200);
        }
        return file;
    }

    @Test
    void modelPredictsAsItWasEvaluatedAndAnotherRunBeginsWithItsBits() throws Exception {
        JsonNode source = run(DEFINITION.formatted("source", 2, "0.1"));
        String id = source.path("id").asString();
        double accuracy = source.at("/model/accuracy").asDouble();
        assertThat(source.at("/model/epoch").asInt()).isEqualTo(2);
        assertThat(accuracy).isEqualTo(source.path("testAccuracy").asDouble());

        Path file = download(id);
        TestingCommand.Ended predicted =
                TestingCommand.script(
                        lab.environment(), "predict", file.toString(), "--output=json");

        assertThat(Files.size(file)).isEqualTo(source.at("/model/bytes").asLong());
        assertThat(predicted.status()).as(predicted.output()).isZero();
        assertThat(JsonMapper.shared().readTree(predicted.output()).path("accuracy").asDouble())
                .isEqualTo(accuracy, within(1e-3));

        JsonNode next =
                run(
                        DEFINITION.formatted("next", 1, STANDSTILL)
                                + "initial: { run: %s }\n".formatted(id));

        assertThat(parameters(next, 0)).isEqualTo(parameters(source, 1));
        assertThat(next.path("testAccuracy").asDouble()).isEqualTo(accuracy);
        assertThat(next.at("/configuration/initial/digest").asString())
                .isEqualTo(source.at("/model/digest").asString());
    }

    /** Returns the weight checksums of all ranks after an epoch. */
    private static List<String> parameters(JsonNode run, int epoch) {
        return run.path("epochs")
                .path(epoch)
                .path("ranks")
                .valueStream()
                .map(it -> it.path("parameters").asString())
                .toList();
    }
}
