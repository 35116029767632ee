package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code plan} with an existing service and with one that it starts. */
class PlanIT {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: tiny # with a comment
            dataset: { name: mnist, limit: 600 }
            network: { preset: mnist-cnn }
            training: { epochs: 1, optimizer: { kind: sgd, learningRate: 0.1 } }
            workers: { replicas: 2 }
            """;

    private static final String WORKERS =
            """
            workers:
            - { name: fast, samplesPerSecond: 2000 }
            - { name: slow, samplesPerSecond: 500 }
            link: { latencyMicroseconds: 100, megabytesPerSecond: 50 }
            """;

    @TempDir private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private TestingCommand.Ended plan(String... arguments) throws Exception {
        String[] all = new String[arguments.length + 2];
        all[0] = "plan";
        all[1] = "--data=" + folder.resolve("lab");
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return TestingCommand.launcher(all);
    }

    @Test
    void plansHypotheticalWorkersWithoutAnyRealOne() throws Exception {
        Path json = folder.resolve("plan.json");

        TestingCommand.Ended ended =
                plan(
                        file("tiny.yaml", DEFINITION).toString(),
                        "--workers=" + file("workers.yaml", WORKERS),
                        "--set=training.batchSize=32",
                        "--target=0.9",
                        "--json=" + json);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("* bsp over all-reduce ring, equal shares, 2 replicas")
                .contains("communication is ", "fast would wait", "s to 0.9")
                .contains("No completed run has tested such predictions yet.");
        JsonNode plans = JsonMapper.shared().readTree(json.toFile());
        assertThat(plans).hasSize(1);
        assertThat(plans.at("/0/ranking/0/epochSeconds").asDouble()).isPositive();
    }

    @Test
    @ExtendWith(SharedLabs.class)
    void errorInTheWorkersEndsWithStatus2AndItsPointer(StandingLab lab) throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.run(
                        TestingCommand.launch(
                                "plan",
                                file("tiny.yaml", DEFINITION).toString(),
                                "--workers=" + file("workers.yaml", WORKERS.replace("2000", "-1"))),
                        lab.environment());

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output())
                .contains(
                        "equipoise: /workers/0/samplesPerSecond must be from 1.0E-6 to 1.0E12, but"
                                + " was -1");
    }

    @Test
    void wrongOptionsEndWithStatus2BeforeAnyProcessStarts() throws Exception {
        Path definition = file("tiny.yaml", DEFINITION);

        assertWrong(
                "equipoise: --target must be an accuracy from 0 to 1, such as 0.9 or 90%, but was 2",
                definition.toString(), "--target=2");
        assertWrong(
                "equipoise: %s must have the field workers, may have the field link, and no other"
                        .formatted(definition),
                definition.toString(),
                "--workers=" + definition);
        assertWrong("equipoise: there is no file no/file", "no/file");
    }

    private void assertWrong(String sentence, String... arguments) throws Exception {
        TestingCommand.Ended ended = plan(arguments);

        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output().lines()).first().isEqualTo(sentence);
    }

    @Test
    void helpListsTheOptions() throws Exception {
        TestingCommand.Ended ended = TestingCommand.launcher("plan", "--help");

        assertThat(ended.status()).isZero();
        assertThat(ended.output()).contains("--workers=FILE", "--target=A", "--json=FILE");
    }
}
