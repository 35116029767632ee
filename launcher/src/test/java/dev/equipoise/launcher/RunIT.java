package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs a definition in a lab that exists and in a lab that the command starts. */
@ExtendWith(SharedLabs.class)
class RunIT {

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: tiny # with a comment
            dataset: { name: mnist, limit: 600 }
            network: { preset: mnist-cnn }
            training: { epochs: 1, optimizer: { kind: sgd, learningRate: 0.1 } }
            workers: { replicas: 2, selector: { zone: here } }
            matrix: { topology.algorithm: [ring, tree] }
            """;

    @TempDir private Path folder;

    private final StandingLab lab;

    RunIT(StandingLab lab) {
        this.lab = lab;
    }

    private Path definition(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /**
     * Runs the command at the existing lab; the token is in the environment, where others cannot
     * read it.
     */
    private TestingCommand.Ended run(String... arguments) throws Exception {
        return TestingCommand.run(command(arguments), lab.environment());
    }

    private static List<String> command(String... arguments) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(arguments));
        return TestingCommand.launch(words.toArray(String[]::new));
    }

    @Test
    void startsALabWithTheSelectedWorkersAndComparesTheRuns() throws Exception {
        Path file = definition("tiny.yaml", DEFINITION);
        Path summary = folder.resolve("summary.json");
        Path csv = folder.resolve("comparison.csv");

        // The variable of a service with a certificate, which that of the lab does not have.
        TestingCommand.Ended ended =
                TestingCommand.run(
                        command(
                                file.toString(),
                                "--data=" + folder.resolve("own"),
                                "--target=5%",
                                "--json=" + summary,
                                "--csv=" + csv),
                        Map.of("EQUIPOISE_CA", folder.resolve("missing.pem").toString()));

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("joining 2 workers", "accuracy 0.")
                .containsPattern("(?m)^tree +\\[#+] 100 %")
                .containsPattern("ring +1 of 1 +0\\.\\d{4} .* \\(1\\.00\\)");
        JsonNode comparison = JsonMapper.shared().readTree(summary.toFile());
        assertThat(comparison.path("target").asDouble()).isEqualTo(0.05);
        assertThat(comparison.path("groups"))
                .extracting(group -> group.path("label").asString())
                .containsExactly("ring", "tree");
        assertThat(comparison.path("runs")).allSatisfy(RunIT::assertComplete);
        assertThat(Files.readAllLines(csv))
                .hasSize(5)
                .satisfies(
                        lines -> assertThat(lines.getFirst()).startsWith("row,label,name,seed,"));
    }

    private static void assertComplete(JsonNode run) {
        assertThat(run.path("state").asString()).isEqualTo("COMPLETED");
        assertThat(run.at("/figures/samples").asLong()).isEqualTo(600);
        assertThat(run.at("/figures/secondsToTarget").asDouble()).isPositive();
        assertThat(run.at("/figures/bytesSent").asLong()).isPositive();
        assertThat(run.at("/curve/0/testAccuracy").asDouble()).isBetween(0.05, 1.0);
    }

    @Test
    void runsAPresetAtAServiceAndShowsPublishedFigures() throws Exception {
        TestingCommand.Ended ended =
                run(
                        "all-reduce-algorithms",
                        "--scale=small",
                        "--set=workers.replicas=3",
                        "--set=dataset.limit=600",
                        "--set=evaluation.target.accuracy=0.05",
                        "--set=matrix={\"topology.algorithm\": [\"tree\"]}");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("all-reduce-algorithms: http")
                .containsPattern("all-reduce-algorithms +1 of 1 +0\\.\\d{4}")
                .as("the target of the definition")
                .contains("s to 0.05")
                .contains(
                        "Published: speedup of a ring over MPI_Allreduce on 512 nodes: 2.3 to 4.1"
                                + " times (Zhu et al., communication time)");
    }

    @ParameterizedTest
    @CsvSource({"HUP, 129", "TERM, 143"})
    void closedTerminalAndTerminationLeaveTheRunsAndNameThem(String signal, int status)
            throws Exception {
        try (TestingProcess process = startEndless();
                ServiceApi api = lab.api()) {
            process.signal(signal);

            assertLeftRuns(process, status, api);
        }
    }

    @Test
    void endedReaderOfTheOutputLeavesTheRunsAndNamesThem() throws Exception {
        List<String> command =
                TestingCommand.withoutReader(folder.resolve("pipe"), "", endlessCommand());
        try (TestingProcess process = TestingCommand.start(command, lab.environment());
                ServiceApi api = lab.api()) {
            assertLeftRuns(process, 141, api);
        }
    }

    /** Asserts that the command names both runs as it ends, and that they continue. */
    private static void assertLeftRuns(TestingProcess process, int status, ServiceApi api)
            throws Exception {
        String ids = process.awaitLine("to follow them: ./equipoise runs watch (.+)");
        assertThat(process.waitFor()).as("128 and the number of the signal").isEqualTo(status);
        assertThat(ids.split(" ", -1))
                .hasSize(2)
                .allSatisfy(id ->
                        assertThat(api.get("runs/" + id).path("state").asString())
                                .isIn("QUEUED", "PLACED", "PREPARING", "RUNNING"));
        for (String id : ids.split(" ", -1)) {
            api.post("runs/%s/cancel".formatted(id), Map.of());
        }
    }

    @Test
    void ctrlCAsksOnceAndCancelsTheSecondTime() throws Exception {
        try (TestingProcess process = startEndless();
                ServiceApi api = lab.api()) {
            process.signal("INT");
            assertThat(process.awaitLine("interrupt again to cancel (2 runs)")).isNotEmpty();
            assertThat(api.get("runs?limit=2").path("items"))
                    .extracting(run -> run.path("state").asString())
                    .doesNotContain("CANCELLED");

            process.signal("INT");

            assertThat(process.awaitLine("equipoise: (canceled 2 runs)")).isNotEmpty();
            assertThat(process.waitFor()).as("128 and the number of SIGINT").isEqualTo(130);
            assertThat(api.get("runs?limit=2").path("items"))
                    .extracting(run -> run.path("state").asString())
                    .containsOnly("CANCELLED");
        }
    }

    /** Returns the command with runs that cannot complete before the test cancels them. */
    private List<String> endlessCommand() throws IOException {
        Path file =
                definition("endless.yaml", DEFINITION.replace(", selector: { zone: here }", ""));
        return command(file.toString(), "--set=training.epochs=100000");
    }

    /**
     * Starts the command with endless runs, and returns once they are submitted. The test may
     * itself run with ignored signals, which a process inherits.
     */
    private TestingProcess startEndless() throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        command.addAll(endlessCommand());
        TestingProcess process = TestingCommand.start(command, lab.environment());
        try {
            assertThat(process.awaitLine("(ring): http://.*/runs/")).isNotEmpty();
            assertThat(process.awaitLine("(comparison): http://.*/compare\\?runs=")).isNotEmpty();
            return process;
        } catch (Exception | Error failure) {
            process.close();
            throw failure;
        }
    }

    @Test
    void detachWithoutAServiceEndsWithStatus2() throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.launcher("run", "all-reduce-algorithms", "--detach");

        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output()).startsWith("equipoise: --detach needs a service");
    }

    @Test
    void everyErrorInADefinitionIsALineWithItsPointerAndStatus2() throws Exception {
        Path file =
                definition(
                        "wrong.yaml",
                        DEFINITION
                                .replace("epochs: 1", "epochs: 0")
                                .replace("name: tiny", "nam: tiny"));

        TestingCommand.Ended ended = run(file.toString());

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output().lines())
                .contains("equipoise: /name must be given")
                .contains("equipoise: /training/epochs must be from 1 to 100000, but was 0")
                .anyMatch(line -> line.startsWith("equipoise: /nam is not a field"));
    }

    /** The service finds this error only when the run is submitted. */
    @Test
    void impossibleReplayEndsWithStatus2AndItsPointer() throws Exception {
        String nowhere = "00000000-0000-0000-0000-000000000007";
        Path file =
                definition(
                        "replay.yaml",
                        DEFINITION + "execution: { kind: replay, run: %s }\n".formatted(nowhere));

        assertWrong(
                "equipoise: /execution/run must be a run of this project, but was \"%s\""
                        .formatted(nowhere),
                file.toString());
    }

    @Test
    void unknownPresetsScalesAndSettingsEndWithStatus2() throws Exception {
        assertWrong(
                "equipoise: there is no file nothing and no preset of that name; the presets are"
                        + " all-reduce-algorithms",
                "nothing");
        assertWrong(
                "equipoise: --scale must be one of [small, full], but was huge",
                "all-reduce-algorithms",
                "--scale=huge");
        assertWrong(
                "equipoise: /training/epochs must be a whole number, but was \"two\"",
                "all-reduce-algorithms",
                "--set=training.epochs=two");
        assertWrong(
                "equipoise: --set must be a field path, =, and a word or a JSON value, such as a=b or"
                        + " 'a=\"two words\"', but was training.epochs",
                "all-reduce-algorithms",
                "--set=training.epochs");
    }

    private void assertWrong(String sentence, String... arguments) throws Exception {
        TestingCommand.Ended ended = run(arguments);

        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output().lines()).first().asString().startsWith(sentence);
    }

    @Test
    void wrongOptionsEndWithStatus2AndTheRule() throws Exception {
        assertWrong(
                "equipoise: --target must be an accuracy from 0 to 1, such as 0.9 or 90%, but was"
                        + " loss=1",
                "all-reduce-algorithms", "--target=loss=1");
        assertWrong(
                "equipoise: --csv must name a file in a folder that exists, but was /no/folder.csv",
                "all-reduce-algorithms",
                "--csv=/no/folder.csv");
        assertWrong(
                "equipoise: the URL of the service must be an http or https address without user,"
                        + " query and fragment, whose path has letters, digits and -._~, such as"
                        + " http://there, but was there",
                "all-reduce-algorithms",
                "--service=there");
    }
}
