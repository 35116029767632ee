package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends commands while their runs are open, at services whose answers are known. */
class OpenRunsIT {

    @TempDir private Path folder;

    private static Answer ok(String body) {
        return new Answer(200, body);
    }

    /** Returns the answers of a service that accepts every definition, and queues these runs. */
    private static Map<String, Answer> answers(String runs) {
        Map<String, Answer> answers = new HashMap<>();
        answers.put("POST experiments/validate", ok("{\"configurations\": [{}]}"));
        answers.put("GET projects", ok("{\"items\": [{\"id\": \"p\", \"role\": \"editor\"}]}"));
        answers.put("POST projects/p/experiments", new Answer(201, "{\"id\": \"e\"}"));
        answers.put("POST experiments/e/runs", new Answer(202, runs));
        answers.put("GET runs", ok(runs));
        return answers;
    }

    private static List<String> command(TestingService service, String... arguments) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--service=" + service.address(), "--token=secret"));
        return TestingCommand.launch(words.toArray(String[]::new));
    }

    @Test
    void secondInterruptCancelsEachRunAndNamesThoseThatContinue() throws Exception {
        Path file = Files.writeString(folder.resolve("three.yaml"), "name: three\n");
        try (var service = new TestingService(threeRuns());
                TestingProcess process = startInterruptible(service, file)) {
            assertThat(process.awaitLine("(comparison): http")).isNotEmpty();
            process.signal("INT");
            assertThat(process.awaitLine("interrupt again to cancel (3 runs)")).isNotEmpty();

            process.signal("INT");

            TestingCommand.Ended ended = process.awaitExit();
            assertThat(ended.status()).as(ended.output()).isEqualTo(130);
            assertThat(ended.output().lines())
                    .containsSubsequence(
                            "equipoise: cannot cancel run b: POST /api/v1/runs/b/cancel was"
                                    + " rejected: wait",
                            "equipoise: canceled 1 run",
                            "equipoise: run b",
                            "equipoise: to follow them: ./equipoise runs watch b");
        }
    }

    /** A terminal that is gone takes neither the ids nor the progress. */
    @Test
    void runsContinueWhenTheReaderOfBothOutputsHasEnded() throws Exception {
        Path file = Files.writeString(folder.resolve("three.yaml"), "name: three\n");
        try (var service = new TestingService(threeRuns())) {
            List<String> command =
                    TestingCommand.withoutReader(
                            folder.resolve("pipe"), "2>&4", command(service, file.toString()));

            TestingCommand.Ended ended = TestingCommand.run(command, Map.of());

            assertThat(ended.status()).as("128 and the number of SIGPIPE").isEqualTo(141);
            assertThat(service.requests())
                    .contains("POST experiments/e/runs")
                    .noneMatch(it -> it.endsWith("/cancel"));
        }
    }

    /** One run is deleted, and the service limits the rate of the second request. */
    private static Map<String, Answer> threeRuns() {
        Map<String, Answer> answers =
                answers(
                        """
                        {"items": [{"id": "a", "state": "RUNNING"}, {"id": "b", "state": "RUNNING"},
                          {"id": "c", "state": "RUNNING"}]}
                        """);
        answers.put(
                "GET comparisons",
                ok("{\"runs\": [{\"label\": \"a\"}, {\"label\": \"b\"}, {\"label\": \"c\"}]}"));
        answers.put("GET runs/a", ok("{}"));
        answers.put(
                "POST runs/a/cancel",
                new Answer(404, "{\"code\": \"not-found\", \"detail\": \"no run\"}"));
        answers.put(
                "POST runs/b/cancel",
                new Answer(429, "{\"code\": \"rate-limited\", \"detail\": \"wait\"}"));
        answers.put("POST runs/c/cancel", ok("{}"));
        return answers;
    }

    /** Starts the command; the test may itself run with ignored signals, which it inherits. */
    private static TestingProcess startInterruptible(TestingService service, Path file)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        command.addAll(command(service, file.toString()));
        return TestingCommand.start(command, Map.of());
    }

    @Test
    void detachNamesTheRunsThatWereQueuedBeforeTheServiceStopped() throws Exception {
        Map<String, Answer> answers = answers("{\"items\": [{\"id\": \"a\"}]}");
        answers.put("GET presets", ok("{\"items\": [{\"name\": \"two-rings\"}]}"));
        answers.put(
                "GET presets/two-rings", ok("{\"definitions\": [{\"seed\": 1}, {\"seed\": 2}]}"));
        try (var service = new TestingService(answers)) {
            service.changeAfter(
                    "POST experiments/e/runs",
                    Map.of("POST projects/p/experiments", new Answer(503, "{}")));

            TestingCommand.Ended ended =
                    TestingCommand.run(command(service, "two-rings", "--detach"), Map.of());

            assertThat(ended.status()).as(ended.output()).isEqualTo(1);
            assertThat(ended.output())
                    .contains(
                            "equipoise: to follow them: ./equipoise runs watch a\n",
                            "does not answer");
            assertThat(service.requests()).doesNotContain("POST runs/a/cancel");
        }
    }
}
