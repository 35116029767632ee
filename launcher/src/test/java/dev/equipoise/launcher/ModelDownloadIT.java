package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs {@code runs model} as a process, with a service whose answers are known. */
class ModelDownloadIT {

    private static final String RUN = "aaaaaaaa-0000-0000-0000-000000000001";

    private static TestingService service() throws IOException {
        return new TestingService(
                Map.of("GET runs/%s/model".formatted(RUN), new Answer(200, "weights")));
    }

    /**
     * Runs the command.
     *
     * @param script script that calls the command as {@code "$@"}
     */
    private static TestingCommand.Ended model(
            TestingService service, String script, String... arguments) throws Exception {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "runs",
                                "model",
                                RUN,
                                "--service=" + service.address(),
                                "--token=secret"));
        words.addAll(List.of(arguments));
        List<String> command = new ArrayList<>(List.of("sh", "-euc", script, "sh"));
        command.addAll(TestingCommand.launch(words.toArray(String[]::new)));
        return TestingCommand.run(command, Map.of());
    }

    @Test
    void modelIsWrittenToStandardOutputAlone() throws Exception {
        try (TestingService service = service()) {
            TestingCommand.Ended ended = model(service, "\"$@\"", "--file=-");

            assertThat(ended.status()).as(ended.output()).isZero();
            assertThat(ended.output()).isEqualTo("weights\n");
        }
    }

    @Test
    void failedWriteToStandardOutputEndsWithStatus1() throws Exception {
        try (TestingService service = service()) {
            TestingCommand.Ended ended = model(service, "\"$@\" >/dev/full", "--file=-");

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .startsWith("equipoise: cannot write the model to standard output: ");
        }
    }
}
