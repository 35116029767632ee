package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs commands whose standard output takes no text: it is full, or its reader has ended. */
class StandardOutputIT {

    private static final int BROKEN_PIPE_STATUS = 141;

    private static final String RUN = "aaaaaaaa-0000-0000-0000-000000000001";
    private static final String LINE =
            "{\"items\": [{\"id\": 1, \"at\": \"t1\", \"text\": \"is RUNNING\"}], \"next\": null}";
    private static final String RUNNING =
            """
            {"id": "%s", "experimentName": "long", "position": 0, "state": "RUNNING", "seed": 1,
              "synchronization": {"kind": "bsp"}, "topology": {"kind": "all-reduce"},
              "configuration": {"seed": 1, "synchronization": {"kind": "bsp"}}, "tags": [],
              "progress": {"epoch": 1, "epochs": 9, "round": 2, "rounds": 5, "fraction": 0.1}}
            """
                    .formatted(RUN);

    @TempDir private Path folder;

    /** Starts a service with a run that never ends. */
    private static TestingService service() throws IOException {
        return new TestingService(
                Map.of(
                        "GET runs",
                        new Answer(200, "{\"items\": [%s], \"next\": null}".formatted(RUNNING)),
                        "GET runs/" + RUN,
                        new Answer(200, RUNNING),
                        "GET runs/%s/log".formatted(RUN),
                        new Answer(200, LINE),
                        "GET runs/%s/model".formatted(RUN),
                        new Answer(200, "weights")));
    }

    private static List<String> command(TestingService service, String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.addAll(List.of("--service=" + service.address(), "--token=secret"));
        return TestingCommand.launch(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs list",
                "runs list --output=json",
                "runs logs " + RUN,
                "runs logs -f " + RUN,
                "runs model --file=- " + RUN
            })
    void commandEndsSilentlyWhenItsReaderHasEnded(String command) throws Exception {
        try (TestingService service = service()) {
            TestingCommand.Ended ended = runWithoutReader("", command(service, command));

            assertThat(ended.output()).isEmpty();
            assertThat(ended.status()).isEqualTo(BROKEN_PIPE_STATUS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"man", "completion bash", "runs --help"})
    void textsOfTheProgramEndSilentlyToo(String command) throws Exception {
        TestingCommand.Ended ended =
                runWithoutReader("", TestingCommand.launch(command.split(" ", -1)));

        assertThat(ended.output()).isEmpty();
        assertThat(ended.status()).isEqualTo(BROKEN_PIPE_STATUS);
    }

    /** As in {@code runs watch RUN 2>&1 | head -1}: the progress goes to standard error. */
    @Test
    void progressEndsWhenTheReaderOfStandardErrorHasEnded() throws Exception {
        try (TestingService service = service()) {
            TestingCommand.Ended ended =
                    runWithoutReader("2>&4", command(service, "runs watch " + RUN));

            assertThat(ended.status()).isEqualTo(BROKEN_PIPE_STATUS);
        }
    }

    private TestingCommand.Ended runWithoutReader(String redirections, List<String> command)
            throws Exception {
        return TestingCommand.run(
                TestingCommand.withoutReader(folder.resolve("pipe"), redirections, command),
                Map.of());
    }

    @Test
    void followedLogEndsWithAReasonOnAFullDisk() throws Exception {
        try (TestingService service = service()) {
            List<String> command =
                    new ArrayList<>(List.of("sh", "-euc", "\"$@\" >/dev/full", "sh"));
            command.addAll(command(service, "runs logs -f " + RUN));

            TestingCommand.Ended ended = TestingCommand.run(command, Map.of());

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .isEqualTo(
                            "equipoise: standard output cannot be written: it is closed or full\n");
        }
    }
}
