package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs commands whose standard output takes no text, as that of a pipe that is closed. */
class StandardOutputIT {

    private static final String RUN = "aaaaaaaa-0000-0000-0000-000000000001";
    private static final String LINE =
            "{\"items\": [{\"id\": 1, \"at\": \"t1\", \"text\": \"is RUNNING\"}], \"next\": null}";

    @Test
    void followedLogEndsBeforeItsRun() throws Exception {
        Map<String, Answer> answers =
                Map.of(
                        "GET runs/%s/log".formatted(RUN),
                        new Answer(200, LINE),
                        "GET runs/" + RUN,
                        new Answer(200, "{\"state\": \"RUNNING\"}"));
        try (var service = new TestingService(answers)) {
            List<String> command =
                    new ArrayList<>(List.of("sh", "-euc", "\"$@\" >/dev/full", "sh"));
            command.addAll(
                    TestingCommand.launch(
                            "runs",
                            "logs",
                            "-f",
                            RUN,
                            "--service=" + service.address(),
                            "--token=secret"));

            TestingCommand.Ended ended = TestingCommand.run(command, Map.of());

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .isEqualTo(
                            "equipoise: standard output cannot be written: it is closed or full\n");
        }
    }
}
