package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that tests of a shared lab do not take workers of other tests for their own. */
class SharedLabsTest {

    private static final Path SOURCES =
            TestingCommand.HOME.resolve("launcher/src/test/java/dev/equipoise/launcher");

    /** A registration at the service, or the command line of an agent. */
    private static final Pattern JOINS = Pattern.compile("\"agents\"|/agents\"|\"agent\",");

    @Test
    void workerNamesAreNeverRepeated() {
        assertThat(
                        Stream.of(UpIT.class, SecretsIT.class, UpIT.class)
                                .map(SharedLabs::workerName)
                                .distinct())
                .hasSize(3)
                .allMatch(it -> it.matches("(UpIT|SecretsIT)-[0-9]+"));
    }

    @Test
    void testsThatJoinWorkersToASharedLabUseTheseNames() throws IOException {
        List<Path> joining;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            joining =
                    files.filter(it -> it.toString().endsWith("IT.java"))
                            .filter(it -> read(it).contains("@ExtendWith(SharedLabs.class)"))
                            .filter(it -> JOINS.matcher(read(it)).find())
                            .toList();
        }

        assertThat(joining)
                .extracting(it -> it.getFileName().toString())
                .contains("SecretsIT.java", "UnreachableWorkerIT.java", "UpIT.java");
        assertThat(joining)
                .allSatisfy(
                        it -> assertThat(read(it)).as("%s", it).contains("SharedLabs.workerName("));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
