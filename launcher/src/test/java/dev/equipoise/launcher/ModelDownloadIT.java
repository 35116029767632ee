package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code runs model} as a process, with a service whose answers are known. */
class ModelDownloadIT {

    private static final String RUN = "aaaaaaaa-0000-0000-0000-000000000001";
    private static final String OTHER = "aaaaaaaa-0000-0000-0000-000000000002";

    /** Digest of the body {@code weights}. */
    private static final String DIGEST = "sha-256=:mhKQONmgCu0M9qfqBZylCoE0SQYauHhIzxoT6v3zOyw=:";

    @TempDir private Path folder;

    private static TestingService service(String body) throws IOException {
        return new TestingService(
                Map.of(
                        "GET runs/%s/model".formatted(RUN),
                        new Answer(200, body),
                        "GET runs/%s/model".formatted(OTHER),
                        new Answer(
                                404, "{\"code\": \"not-found\", \"detail\": \"it has no model\"}")),
                Map.of("Content-Digest", DIGEST));
    }

    /**
     * Runs the command.
     *
     * @param script script that calls the command as {@code "$@"}
     */
    private static TestingCommand.Ended model(
            TestingService service, String script, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("runs", "model"));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--service=" + service.address(), "--token=secret"));
        List<String> command = new ArrayList<>(List.of("sh", "-euc", script, "sh"));
        command.addAll(TestingCommand.launch(words.toArray(String[]::new)));
        return TestingCommand.run(command, Map.of());
    }

    @Test
    void modelIsWrittenToStandardOutputAlone() throws Exception {
        try (TestingService service = service("weights")) {
            TestingCommand.Ended ended = model(service, "\"$@\"", RUN, "--file=-");

            assertThat(ended.status()).as(ended.output()).isZero();
            assertThat(ended.output()).isEqualTo("weights\n");
        }
    }

    @Test
    void failedWriteToStandardOutputEndsWithStatus1() throws Exception {
        try (TestingService service = service("weights")) {
            TestingCommand.Ended ended = model(service, "\"$@\" >/dev/full", RUN, "--file=-");

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .startsWith("equipoise: cannot write the model to standard output: ");
        }
    }

    @Test
    void modelIsWrittenToAFileOnlyAsAWhole() throws Exception {
        Path file = folder.resolve("a.safetensors");
        try (TestingService service = service("weights")) {
            TestingCommand.Ended saved = model(service, "\"$@\"", RUN, "--file=" + file);
            TestingCommand.Ended absent =
                    model(service, "\"$@\"", OTHER, "--file=" + folder.resolve("b"));
            TestingCommand.Ended nowhere =
                    model(service, "\"$@\"", RUN, "--file=" + folder.resolve("no/folder"));

            assertThat(saved.status()).as(saved.output()).isZero();
            assertThat(file).hasContent("weights");
            assertThat(absent.status()).isEqualTo(1);
            assertThat(absent.output()).contains("it has no model");
            assertThat(nowhere.status()).isEqualTo(1);
            assertThat(nowhere.output()).contains("folder: there is no such file or folder");
            assertThat(folder.toFile().list()).containsExactly("a.safetensors");
        }
    }

    @Test
    void damagedModelReplacesNoFile() throws Exception {
        Path file = Files.writeString(folder.resolve("a.safetensors"), "earlier");
        try (TestingService service = service("weihgts")) {
            TestingCommand.Ended ended = model(service, "\"$@\"", RUN, "--file=" + file);

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .contains("/model is damaged: its digest is sha-256=:", "states " + DIGEST);
            assertThat(file).hasContent("earlier");
            assertThat(folder.toFile().list()).containsExactly("a.safetensors");
        }
    }

    @Test
    void foldersAreRefusedBeforeTheDownload() throws Exception {
        Path full = Files.createDirectory(folder.resolve("full"));
        Path empty = Files.createDirectory(full.resolve("empty"));
        try (TestingService service = service("weights")) {
            for (Path target : List.of(full, empty)) {
                TestingCommand.Ended ended = model(service, "\"$@\"", RUN, "--file=" + target);

                assertThat(ended.status()).isEqualTo(2);
                assertThat(ended.output())
                        .startsWith("equipoise: --file must name a file, but " + target);
            }
            assertThat(service.requests()).isEmpty();
            assertThat(empty).isEmptyDirectory();
        }
    }
}
