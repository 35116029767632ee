package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with stub programs how {@code containers/engine.sh} finds, starts and stops a Docker
 * engine, and how the tests in containers fail without one.
 */
class EngineIT {

    @TempDir private Path folder;

    @BeforeEach
    void createStubs() throws IOException {
        program("id", "echo 0");
        for (String name : List.of("docker-compose", "busybox", "xz", "apt-get", "ip")) {
            program(name, "");
        }
        program("dockerd", "echo $$ >dockerd.part && mv dockerd.part dockerd && exec sleep 60");
        // The engine never answers; its first request sends SIGTERM to the script that starts it.
        program("docker", "[ \"$1\" != info ] || [ ! -e dockerd ] || kill $starter; exit 1");
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void stop() throws IOException {
        if (Files.exists(folder.resolve("dockerd"))) {
            ProcessHandle.of(engine()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private long engine() throws IOException {
        return Long.parseLong(Files.readString(folder.resolve("dockerd")).strip());
    }

    @Test
    void terminationDuringTheStartAlsoStopsTheEngine() throws Exception {
        TestingCommand.Ended ended =
                shell(
                        """
                        cd "$1"
                        PATH=$1/bin:$PATH
                        starter=$$
                        export PATH starter
                        . "$2/containers/engine.sh"
                        trap stop_engine EXIT
                        trap 'exit 130' TERM
                        start_engine "$1/engine"
                        """);

        assertThat(ended.status()).as(ended.output()).isEqualTo(130);
        assertThat(ProcessHandle.of(engine())).isEmpty();
        assertThat(folder.resolve("engine")).doesNotExist();
    }

    @Test
    void answeringEngineIsUsedWithoutTheProgramsThatStartOne() throws Exception {
        program("docker", "");
        program("id", "echo 1000");
        Files.delete(folder.resolve("bin/dockerd"));
        Files.delete(folder.resolve("bin/ip"));

        TestingCommand.Ended ended =
                shell(
                        """
                        ln -s "$(command -v timeout)" "$1/bin/"
                        PATH=$1/bin
                        . "$2/containers/engine.sh"
                        start_engine "$1/engine"
                        """);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(folder.resolve("engine")).doesNotExist();
    }

    @Test
    void testsFailWithoutAnEngineAndNoteTheReasonForEachPart() throws Exception {
        program("id", "echo 1000");

        TestingCommand.Ended ended =
                shell(
                        """
                        PATH=$1/bin:$PATH
                        mkdir -p "$1/checkout/containers"
                        cp "$2/containers/test.sh" "$2/containers/engine.sh" "$2/containers/report.sh" \
                            "$1/checkout/containers/"
                        sh "$1/checkout/containers/test.sh"
                        """);

        String reason = "no Docker engine answers, and only root can start one";
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output())
                .isEqualTo("equipoise: containers cannot be tested: " + reason + "\n");
        assertThat(folder.resolve("checkout/target/containers.txt"))
                .hasContent(
                        """
                        database: not tested in containers: REASON
                        images: not tested in containers: REASON
                        lab: not tested in containers: REASON
                        """
                                .replace("REASON", reason));
    }

    /** Runs a script with the folder of the test and the checkout as parameters. */
    private TestingCommand.Ended shell(String script) throws Exception {
        return TestingCommand.run(
                List.of(
                        "sh",
                        "-euc",
                        script,
                        "sh",
                        folder.toString(),
                        TestingCommand.HOME.toString()),
                Map.of());
    }
}
