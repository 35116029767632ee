package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code containers/cold-start.sh} in a checkout of its own, with a stub of Docker. */
class ColdStartIT {

    private static final Path SCRIPT = TestingCommand.HOME.resolve("containers/cold-start.sh");
    private static final Pattern PACKAGES =
            Pattern.compile("apt-get install (?:-\\S+ )*+([a-z0-9 -]+)['`]");

    /** Records its calls, and fails for one of them. */
    private static final String DOCKER =
            """
            #!/bin/sh
            echo "$*" >>"$0.calls"
            case $* in
                *"$FAILING"*) exit 9 ;;
                run*) echo cold ;;
                *'du -sm'*) printf '7\\t.m2\\n8\\t.npm\\n' ;;
                container*) echo 1912345678 ;;
                exec*) echo 'output of a step' ;;
            esac
            """;

    @TempDir private Path folder;

    private TestingCommand.Ended start(String failing, String... arguments) throws Exception {
        Path docker = Files.createDirectories(folder.resolve("bin")).resolve("docker");
        Files.writeString(docker, DOCKER);
        assertThat(docker.toFile().setExecutable(true)).isTrue();
        String script =
                """
                mkdir -p "$1/checkout/containers"
                cp "$2" "$1/checkout/containers/"
                cd "$1/checkout"
                git init -q
                git add containers
                git -c user.name=tests -c user.email=tests@equipoise.invalid commit -qm Script
                PATH=$1/bin:$PATH
                shift 2
                sh containers/cold-start.sh "$@" 2>../errors
                """;
        List<String> command =
                List.of("sh", "-euc", script, "sh", folder.toString(), SCRIPT.toString());
        return TestingCommand.run(
                Stream.concat(command.stream(), Stream.of(arguments)).toList(),
                Map.of("FAILING", failing, "GIT_CONFIG_GLOBAL", "/dev/null"));
    }

    private List<String> calls() throws Exception {
        return Files.readAllLines(folder.resolve("bin/docker.calls"));
    }

    @Test
    void figuresAreATableAndAllElseIsOnStandardError() throws Exception {
        TestingCommand.Ended ended =
                start("no such call", "--image", "debian:13-slim", "--env", "HTTPS_PROXY=proxy");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output().replaceAll("\\d+ s\\b", "N s"))
                .startsWith("A complete installation took 0 min N s and 1912 MB on ")
                .contains(", debian:13-slim, own account):\n\n| step | time | on disk |\n")
                .endsWith(
                        """
                        | `./equipoise build` with downloads | N s | `~/.m2` 7 MB, `~/.npm` 8 MB |
                        | `./equipoise demo` | N s | `~/.m2` 7 MB, `~/.npm` 8 MB |
                        """)
                .doesNotContain("output of a step");
        assertThat(calls())
                .anyMatch(it -> it.endsWith(" --env HTTPS_PROXY=proxy debian:13-slim sleep 10800"))
                .last()
                .isEqualTo("rm --force --volumes cold");
    }

    @Test
    void failedStepIsNamedAndItsContainerRemoved() throws Exception {
        TestingCommand.Ended ended = start("./equipoise build");

        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(folder.resolve("errors"))
                .content()
                .endsWith("containers/cold-start.sh: the step 'build' failed\n");
        assertThat(calls())
                .noneMatch(it -> it.contains("demo"))
                .last()
                .isEqualTo("rm --force --volumes cold");
    }

    @Test
    void engineThatDoesNotAnswerIsReported() throws Exception {
        TestingCommand.Ended ended = start("info");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(folder.resolve("errors")).content().contains("no Docker engine answers");
        assertThat(calls()).containsExactly("info");
    }

    @Test
    void stepsAreTheCommandsOfTheReadme() {
        String readme = TestingTree.text(TestingCommand.HOME.resolve("README.md"));

        assertThat(packages(TestingTree.text(SCRIPT))).isEqualTo(packages(readme));
        assertThat(readme).contains("```sh\n./equipoise demo\n```");
    }

    private static String packages(String text) {
        Matcher command = PACKAGES.matcher(text);
        assertThat(command.find()).as("packages in %s", text).isTrue();
        return command.group(1);
    }
}
