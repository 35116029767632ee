package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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

    private static final int IMAGES = 1000;
    private static final int SIDE = 28;
    private static final int SQUARE = 8;
    private static final Pattern ACCURACY =
            Pattern.compile("accuracy ([0-9.]+) on %d samples".formatted(IMAGES));

    @TempDir private Path folder;

    /** A completed run of two epochs. Static, because each test has its own instance. */
    private static @Nullable JsonNode trained;

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

    /** Returns a run whose model the tests use; the first of them runs it. */
    private JsonNode source() throws Exception {
        JsonNode source = trained == null ? run(DEFINITION.formatted("source", 2, "0.1")) : trained;
        trained = source;
        return source;
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
        JsonNode source = source();
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

    /** The labels are what the command predicts, so that PyTorch must predict all of them. */
    @Test
    void modelOfAgentsPredictsTheSameInPyTorch() throws Exception {
        Optional<String> python = pythonWithTorch();
        assumeTrue(python.isPresent(), "no python3 has torch; Debian's package is python3-torch");
        Path model = download(source().path("id").asString());
        Path images = Files.write(folder.resolve("images"), squares());
        TestingCommand.Ended predicted =
                TestingCommand.script(
                        lab.environment(),
                        "predict",
                        model.toString(),
                        images.toString(),
                        "--output=json");
        assertThat(predicted.status()).as(predicted.output()).isZero();
        Path labels = Files.write(folder.resolve("labels"), labels(predicted.output()));

        TestingCommand.Ended evaluated =
                TestingCommand.run(
                        List.of(
                                python.get(),
                                TestingCommand.HOME
                                        .resolve("clients/python/torch_model.py")
                                        .toString(),
                                model.toString(),
                                images.toString(),
                                labels.toString()),
                        Map.of());

        assertThat(evaluated.status()).as(evaluated.output()).isZero();
        Matcher accuracy = ACCURACY.matcher(evaluated.output());
        assertThat(accuracy.find()).as(evaluated.output()).isTrue();
        assertThat(Double.parseDouble(accuracy.group(1))).isEqualTo(1.0, within(1e-3));
    }

    private static Optional<String> pythonWithTorch() throws InterruptedException {
        for (String python : List.of("python3", "/usr/bin/python3")) {
            try {
                List<String> command = List.of(python, "-c", "import torch");
                if (TestingCommand.run(command, Map.of()).status() == 0) {
                    return Optional.of(python);
                }
            } catch (IOException _) {
                // There is no such program.
            }
        }
        return Optional.empty();
    }

    /** Returns an IDX file of black images with two bright squares each. */
    private static byte[] squares() {
        var random = new Random(33);
        ByteBuffer file = ByteBuffer.allocate(16 + IMAGES * SIDE * SIDE);
        file.putInt(0x0803).putInt(IMAGES).putInt(SIDE).putInt(SIDE);
        for (int square = 0; square < 2 * IMAGES; square++) {
            int first = 16 + square / 2 * SIDE * SIDE;
            int corner = random.nextInt(SIDE - SQUARE) * SIDE + random.nextInt(SIDE - SQUARE);
            for (int i = 0; i < SQUARE * SQUARE; i++) {
                file.put(first + corner + i / SQUARE * SIDE + i % SQUARE, (byte) 255);
            }
        }
        return file.array();
    }

    /** Returns an IDX file of the best classes of all predictions. */
    private static byte[] labels(String predictions) {
        ByteBuffer file = ByteBuffer.allocate(8 + IMAGES);
        file.putInt(0x0801).putInt(IMAGES);
        for (JsonNode one : JsonMapper.shared().readTree(predictions).path("predictions")) {
            file.put((byte) Integer.parseInt(one.at("/classes/0/class").asString()));
        }
        return file.array();
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
