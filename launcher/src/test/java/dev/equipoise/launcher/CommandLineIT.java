package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demo",
                "run",
                "results",
                "plan",
                "predict",
                "export",
                "up",
                "login",
                "logout",
                "open",
                "contexts",
                "projects",
                "experiments",
                "runs",
                "runs list",
                "compare",
                "workers",
                "tokens",
                "join-tokens",
                "webhooks",
                "presets",
                "schema",
                "completion",
                "man",
                "service",
                "agent",
                "bench",
                "bench step",
                "test",
                "night",
                "build",
                "chaos",
                "soak",
                "sbom",
                "pictures",
                "images",
                "packages",
                "over-ssh",
                "pages",
                "release"
            })
    void everyCommandTellsItsVersion(String command) throws Exception {
        assertVersion(command, "--version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run", "service", "agent", "bench", "test"})
    void shortOptionTellsTheVersionToo(String command) throws Exception {
        assertVersion(command, "-V");
    }

    private void assertVersion(String command, String option) throws Exception {
        String asked = (command + " " + option).strip();
        String told = ("equipoise " + command).strip() + " " + version();

        TestingCommand.Ended ended =
                TestingCommand.script(
                        Map.of("XDG_DATA_HOME", folder.toString()), asked.split(" ", -1));

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output().lines()).anyMatch(it -> it.startsWith(told));
        assertThat(folder).isEmptyDirectory();
    }

    /** Returns the version of the product in the sources. */
    private static String version() {
        Matcher version =
                Pattern.compile("<artifactId>equipoise</artifactId>\\s*<version>([^<]+)</version>")
                        .matcher(TestingTree.text(TestingCommand.HOME.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    @Test
    void helpOfTheServiceStartsNoService() throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.script(
                        Map.of("XDG_DATA_HOME", folder.toString()), "service", "--help");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("usage: ./equipoise service", "--server.port=PORT");
        assertThat(folder).isEmptyDirectory();
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

    @Test
    void serviceThatRunsOutOfMemoryStartsAgain() throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.script(
                        javaHome("[ $(wc -l <\"$starts\") -gt 2 ] || exit 3; exit 7"), "service");

        assertThat(ended.status()).as(ended.output()).isEqualTo(7);
        assertThat(starts()).hasSize(3);
        assertThat(ended.output())
                .contains(
                        "the service ran out of memory and starts again (restart 1 of 5)",
                        "the service ran out of memory and starts again (restart 2 of 5)");
    }

    @Test
    void serviceThatRunsOutOfMemoryAgainAndAgainEndsWithStatus3() throws Exception {
        Map<String, String> environment = new HashMap<>(javaHome("exit 3"));
        environment.put("EQUIPOISE_RESTARTS", "2");

        TestingCommand.Ended ended = TestingCommand.script(environment, "service");

        assertThat(ended.status()).as(ended.output()).isEqualTo(3);
        assertThat(starts()).hasSize(3);
        assertThat(ended.output())
                .endsWith(
                        "equipoise: the service ran out of memory 3 times within 10 minutes of its"
                                + " start; its log tells what it did\n");
    }

    @Test
    void stoppedScriptStopsTheService() throws Exception {
        List<String> command =
                List.of(TestingCommand.HOME.resolve("equipoise").toString(), "service");
        try (TestingProcess script =
                TestingCommand.start(command, javaHome("echo up as $$; exec sleep 1000"))) {
            long service = Long.parseLong(script.awaitLine("up as (\\d+)"));

            script.stop();

            assertThat(script.waitFor()).as("128 and the number of SIGTERM").isEqualTo(143);
            assertThat(ProcessHandle.of(service).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    /** A service that ran out of memory and stayed would answer nothing. */
    @Test
    void serviceExitsWhenItRunsOutOfMemory() throws Exception {
        TestingCommand.script(javaHome("exit 0"), "service");

        assertThat(starts()).singleElement().asString().contains(" -XX:+ExitOnOutOfMemoryError ");
        assertThat(TestingTree.text(TestingCommand.HOME.resolve("app/Dockerfile")))
                .contains("\"-XX:+ExitOnOutOfMemoryError\"");
    }

    /**
     * Returns an environment in which the JVM is a script, which notes its command lines.
     *
     * @param then what it does after that
     */
    private Map<String, String> javaHome(String then) throws IOException {
        Path jdk = folder.resolve("jdk");
        Path bin = Files.createDirectories(jdk.resolve("bin"));
        String java =
                """
                #!/bin/sh
                starts='%s'
                if [ "$1" = -XshowSettings:properties ]; then
                    echo '    java.specification.version = 25'
                    exit 0
                fi
                echo "java $* " >>"$starts"
                %s
                """
                        .formatted(folder.resolve("starts"), then);
        for (String name : List.of("java", "javac")) {
            Path file = Files.writeString(bin.resolve(name), java);
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        return Map.of("JAVA_HOME", jdk.toString());
    }

    private List<String> starts() throws IOException {
        return Files.readAllLines(folder.resolve("starts"));
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
