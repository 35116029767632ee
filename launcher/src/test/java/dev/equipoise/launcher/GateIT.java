package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the gate and other commands of the script in a checkout without modules, whose tools are
 * scripts that succeed.
 */
class GateIT {

    private static final String JAVA =
            """
            if [ "$1" = -XshowSettings:properties ]; then
                echo '    java.specification.version = 25'
            fi
            """;

    @TempDir private Path folder;

    private Path checkout() {
        return folder.resolve("checkout");
    }

    private Path home() {
        return folder.resolve("home");
    }

    @BeforeEach
    void prepare() throws IOException {
        for (String tool : List.of("mvn", "node", "npm", "chromium")) {
            write("bin/" + tool, "exit 0\n");
        }
        write("bin/python3", "echo \"Python has $HOME and $XDG_CACHE_HOME\"\n");
        write("bin/docker", "exit 1\n");
        for (String starter : List.of("dockerd", "apt-get")) {
            write("bin/" + starter, "touch \"$0.called\"\n");
        }
        write("jdk/bin/java", JAVA);
        write("jdk/bin/javac", JAVA);
        // As the build, it refuses the platforms that it does not know.
        write(
                "checkout/platforms/check.sh",
                """
                [ "$1" != linux-riscv64 ] || {
                    echo "the platform of this build is linux-riscv64"
                    exit 1
                }
                """);
        Files.createDirectories(checkout().resolve("containers"));
        Files.createDirectories(checkout().resolve("launcher"));
        for (String file :
                List.of(
                        "equipoise",
                        "pom.xml",
                        "containers/engine.sh",
                        "containers/images.sh",
                        "containers/lay-out.sh",
                        "containers/origin.sh",
                        "containers/report.sh",
                        "containers/test.sh",
                        "launcher/package.sh")) {
            Files.copy(
                    TestingCommand.HOME.resolve(file),
                    checkout().resolve(file),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createDirectories(checkout().resolve("web-ui"));
        write("home/.config/equipoise/contexts.json", "");
    }

    /** Writes a script. */
    private void write(String name, String commands) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + commands);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private TestingCommand.Ended gate() throws Exception {
        return run("yes", "test");
    }

    /**
     * Runs a command.
     *
     * @param built whether the checkout counts as built: "yes", or empty
     */
    private TestingCommand.Ended run(String built, String... arguments) throws Exception {
        List<String> command =
                List.of(
                        "env",
                        "-u",
                        "XDG_CONFIG_HOME",
                        "-u",
                        "XDG_DATA_HOME",
                        "-u",
                        "XDG_STATE_HOME",
                        "-u",
                        "XDG_CACHE_HOME",
                        "sh",
                        checkout().resolve("equipoise").toString());
        return TestingCommand.run(
                Stream.concat(command.stream(), Stream.of(arguments)).toList(),
                Map.of(
                        "EQUIPOISE_BUILT",
                        built,
                        "HOME",
                        home().toString(),
                        "JAVA_HOME",
                        folder.resolve("jdk").toString(),
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH")));
    }

    @Test
    void gatePassesWhileTestsLeaveTheFoldersOfTheUserAlone() throws Exception {
        TestingCommand.Ended ended = gate();

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("folders of the user\n")
                .contains(
                        "Python has %1$s/target/home and %1$s/target/home/cache"
                                .formatted(checkout().toRealPath()));
    }

    @Test
    void fileThatATestLeavesInAFolderOfTheUserFailsTheGate() throws Exception {
        write("bin/mvn", "mkdir -p \"$HOME/.local/state/equipoise/unsent\"\n");

        TestingCommand.Ended ended = gate();

        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output().lines())
                .contains(home().resolve(".local/state/equipoise/unsent").toString())
                .noneMatch(it -> it.contains("contexts.json"));
        assertThat(checkout().resolve("target/failures/summary.txt"))
                .hasContent("FAILED folders of the user");
        assertThat(checkout().resolve("target/failures/folders-of-the-user.log"))
                .content()
                .contains("these files appeared in the folders of the user");
    }

    @Test
    void gateWithoutAnEngineTellsSoForEachPartAndStartsNone() throws Exception {
        TestingCommand.Ended ended = gate();

        assertThat(ended.status()).as(ended.output()).isZero();
        String reason =
                ": not tested in containers: no Docker engine answers; ./equipoise test --containers starts one where it can";
        assertThat(checkout().resolve("target/containers.txt"))
                .content()
                .hasLineCount(3)
                .contains("database" + reason, "images" + reason, "lab" + reason);
        assertThat(folder.resolve("bin"))
                .isDirectoryNotContaining(it -> it.toString().endsWith(".called"));
    }

    @Test
    void containerTestsFailWithoutAnEngineThatAnswersOrCanStart() throws Exception {
        write("bin/id", "echo 1000\n");

        TestingCommand.Ended ended = run("yes", "test", "--containers");

        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(checkout().resolve("target/containers.txt"))
                .content()
                .hasLineCount(3)
                .contains("database: not tested", "images: not tested", "lab: not tested")
                .contains("no Docker engine answers, and only root can start one");
        assertThat(checkout().resolve("target/failures/summary.txt"))
                .hasContent("FAILED containers");
    }

    @ParameterizedTest
    @CsvSource({"images, --base IMAGE", "packages, ./equipoise packages [FOLDER]"})
    void helpNeedsNoBuild(String command, String text) throws Exception {
        write("bin/mvn", "touch \"$0.called\"\n");

        TestingCommand.Ended ended = run("", command, "--help");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).startsWith("usage: ./equipoise " + command).contains(text);
        assertThat(folder.resolve("bin/mvn.called")).doesNotExist();
    }
}
