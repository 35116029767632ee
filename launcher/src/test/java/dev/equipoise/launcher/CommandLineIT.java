package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineIT {

    @TempDir private Path folder;

    @Test
    void optionOutOfRangeEndsWithStatus2AndTheRule() throws Exception {
        TestingCommand.Ended ended = TestingCommand.launcher("demo", "--epochs", "0");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("--epochs must be at least 1, but was 0");
        assertNoStackTrace(ended);
    }

    @Test
    void portOutOfRangeEndsWithStatus2AndTheRule() throws Exception {
        TestingCommand.Ended ended = TestingCommand.launcher("up", "--port", "70000");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("--port must be from 0 to 65535, but was 70000");
    }

    @Test
    void unknownCommandEndsWithStatus2() throws Exception {
        TestingCommand.Ended ended = TestingCommand.script(Map.of(), "dance");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("equipoise: there is no command 'dance'");
    }

    @Test
    void overSshWithoutAHostEndsWithStatus2AndTheRule() throws Exception {
        TestingCommand.Ended ended = TestingCommand.script(Map.of(), "over-ssh", "stop");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("equipoise over-ssh: no host is named");
    }

    @Test
    void missingPageForTheTablesOfChaosEndsWithStatus2AndTheRule() throws Exception {
        Path page = folder.resolve("missing.md");

        TestingCommand.Ended ended = TestingCommand.script(Map.of(), "chaos", "--output=" + page);

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output())
                .contains("--output must name a page that exists, but was '%s'".formatted(page));
    }

    @Test
    void pageForSomeTablesOfChaosEndsWithStatus2AndTheRule() throws Exception {
        Path page = Files.writeString(folder.resolve("page.md"), "no marks");

        TestingCommand.Ended ended =
                TestingCommand.script(Map.of(), "chaos", "--output", page.toString(), "DISK_FULL");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("omit DISK_FULL, or omit --output");
    }

    @Test
    void busyPortIsOneSentenceAndStatus1() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TestingCommand.Ended ended =
                    TestingCommand.launcher(
                            "demo",
                            "--data",
                            folder.toString(),
                            "--port",
                            "" + busy.getLocalPort());

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output().strip())
                    .isEqualTo(
                            "equipoise: port %d is in use; stop what listens there or choose another"
                                            .formatted(busy.getLocalPort())
                                    + " with --port");
        }
    }

    @Test
    void serviceOnABusyPortIsOneSentenceAndStatus1() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TestingCommand.Ended ended =
                    TestingCommand.script(
                            Map.of(),
                            "service",
                            "--equipoise.data=" + folder,
                            "--server.port=" + busy.getLocalPort());

            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.output())
                    .contains("equipoise: port %d is in use".formatted(busy.getLocalPort()));
            assertNoStackTrace(ended);
        }
    }

    @Test
    void unusableDataFolderIsOneSentenceAndStatus1() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "no folder");

        TestingCommand.Ended ended =
                TestingCommand.launcher("demo", "--data", file.resolve("below").toString());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).startsWith("equipoise: the data folder ");
        assertNoStackTrace(ended);
    }

    @Test
    void unwritableLogIsOneSentenceAndStatus1() throws Exception {
        Path logs = Files.writeString(folder.resolve("logs"), "no folder");

        TestingCommand.Ended ended = TestingCommand.launcher("demo", "--data", folder.toString());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output().strip())
                .isEqualTo(
                        "equipoise: the log %s cannot be written: %s is not a folder"
                                .formatted(logs.resolve("service.log"), logs));
    }

    @Test
    void missingJdkIsOneSentenceAndStatus1() throws Exception {
        Path script = scriptThatNeedsJdk(99);

        TestingCommand.Ended ended =
                TestingCommand.run(List.of(script.toString(), "test"), Map.of("JAVA_HOME", ""));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output().strip())
                .isEqualTo(
                        "equipoise: no JDK 99 or newer was found; install one, or set JAVA_HOME to"
                                + " it");
    }

    private Path scriptThatNeedsJdk(int version) throws IOException {
        String text = Files.readString(TestingCommand.HOME.resolve("equipoise"));
        Path script = folder.resolve("equipoise");
        Files.writeString(script, text.replace("wanted=25", "wanted=" + version));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static void assertNoStackTrace(TestingCommand.Ended ended) {
        assertThat(ended.output()).doesNotContain("\tat ").doesNotContain("Exception");
    }
}
