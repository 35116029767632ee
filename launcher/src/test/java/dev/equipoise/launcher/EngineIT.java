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

/** Tests with stub programs how {@code containers/engine.sh} starts and stops a Docker engine. */
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
        ProcessHandle.of(engine()).ifPresent(ProcessHandle::destroyForcibly);
    }

    private long engine() throws IOException {
        return Long.parseLong(Files.readString(folder.resolve("dockerd")).strip());
    }

    @Test
    void terminationDuringTheStartAlsoStopsTheEngine() throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.run(
                        List.of(
                                "sh",
                                "-euc",
                                """
                                cd "$1"
                                PATH=$1/bin:$PATH
                                starter=$$
                                export PATH starter
                                . "$2/containers/engine.sh"
                                trap stop_engine EXIT
                                trap 'exit 130' TERM
                                start_engine "$1/engine"
                                """,
                                "sh",
                                folder.toString(),
                                TestingCommand.HOME.toString()),
                        Map.of());

        assertThat(ended.status()).as(ended.output()).isEqualTo(130);
        assertThat(ProcessHandle.of(engine())).isEmpty();
        assertThat(folder.resolve("engine")).doesNotExist();
    }
}
