package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that {@code ./equipoise over-ssh} leaves on a machine, with stubs of ssh and of the agent.
 * Two hosts share a home directory.
 */
class OverSshFilesIT {

    private static final String CERTIFICATE =
            "-----BEGIN CERTIFICATE-----\nMIIB it's a stub\n-----END CERTIFICATE-----\n";

    @TempDir private Path folder;

    private Path agents() {
        return folder.resolve("home/.local/share/equipoise-agents");
    }

    /** The stub of ssh has the arguments of ssh, and runs the command on this machine. */
    @BeforeEach
    void makeStubs() throws IOException, InterruptedException {
        write(
                "ssh",
                """
                #!/bin/sh
                while [ "$1" != -- ]; do shift; done
                shift 2
                HOME='%s' EQUIPOISE_STATE=/elsewhere
                export HOME EQUIPOISE_STATE
                cd && exec sh -c "$*"
                """
                        .formatted(Files.createDirectory(folder.resolve("home"))));
        write(
                "release/bin/equipoise-agent",
                """
                #!/bin/sh
                trap 'exit 0' TERM
                echo "state in ${EQUIPOISE_STATE-$XDG_STATE_HOME}"
                echo "$* joined as a worker"
                for second in $(seq 300); do sleep 1; done
                """);
        write("token", "eqj_secret\n");
        write("ca.pem", CERTIFICATE);
        for (String program : List.of("ssh", "release/bin/equipoise-agent")) {
            assertThat(folder.resolve(program).toFile().setExecutable(true)).isTrue();
        }
        pack("first");
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Packs the stub of the agent as another release. */
    private void pack(String version) throws IOException, InterruptedException {
        write("release/version", version);
        Files.createDirectories(folder.resolve("release/lib"));
        TestingTool.run(
                "tar",
                "-C",
                folder.toString(),
                "-czf",
                folder.resolve("agent.tar.gz").toString(),
                "release");
    }

    @AfterEach
    void stopAgents() throws Exception {
        if (Files.exists(agents())) {
            overSsh("stop", "north", "south");
        }
    }

    private TestingCommand.Ended overSsh(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("over-ssh"));
        words.addAll(List.of(arguments));
        return TestingCommand.script(
                Map.of("EQUIPOISE_SSH", folder.resolve("ssh").toString()),
                words.toArray(String[]::new));
    }

    private TestingCommand.Ended start(String service, String... more) throws Exception {
        return overSsh(
                Stream.concat(
                                Stream.of(
                                        "start",
                                        "--archive",
                                        folder.resolve("agent.tar.gz").toString(),
                                        "--service",
                                        service,
                                        "--join-token-file",
                                        folder.resolve("token").toString()),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private static void assertSuccess(TestingCommand.Ended ended) {
        assertThat(ended.status()).as(ended.output()).isZero();
    }

    private List<String> releases() throws IOException {
        try (Stream<Path> releases = Files.list(agents().resolve("releases"))) {
            return releases.map(it -> TestingTree.text(it.resolve("version"))).sorted().toList();
        }
    }

    @Test
    void removedAgentLeavesTheReleasesOfOtherHostsAlone() throws Exception {
        assertSuccess(start("http://lab:8080", "north"));
        pack("second");
        assertSuccess(start("http://lab:8080", "south"));
        assertThat(releases()).containsExactly("first", "second");

        assertSuccess(overSsh("remove", "north"));

        assertThat(agents().resolve("north")).doesNotExist();
        assertThat(releases()).containsExactly("second");
        assertSuccess(overSsh("status", "south"));
        assertSuccess(overSsh("remove", "south"));
        assertThat(agents()).doesNotExist();
    }

    @Test
    void removeRefusesWhileReportsAreUnsent() throws Exception {
        assertSuccess(start("http://lab:8080", "north"));
        Path reports = Path.of("home/.local/share/equipoise-agents/north/state/equipoise/unsent");
        write(reports.resolve("agent/assignment.jsonl").toString(), "{}\n");

        TestingCommand.Ended refused = overSsh("remove", "north");

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output())
                .startsWith("north: the agent is stopped, but " + folder)
                .contains("/unsent has reports that the service has not confirmed: start");
        assertThat(overSsh("status", "north").output()).contains("north: not running");
        assertThat(folder.resolve(reports)).isDirectoryContaining("glob:**agent");
    }

    @Test
    void agentTrustsTheCertificatesOfTheFile() throws Exception {
        String ca = folder.resolve("ca.pem").toString();

        assertSuccess(start("https://lab:8443", "--ca", ca, "--options", "--threads 2", "north"));

        Path passed = agents().resolve("north/ca.pem");
        assertThat(passed).hasContent(CERTIFICATE);
        assertThat(agents().resolve("north/log"))
                .content()
                .contains(" --ca %s --threads 2 joined as".formatted(passed));

        assertSuccess(start("http://lab:8080", "north"));

        assertThat(passed).doesNotExist();
        assertThat(agents().resolve("north/log")).content().doesNotContain("--ca");
    }

    @Test
    void caFileWithoutCertificateOrWithPrivateKeyIsRejected() throws Exception {
        String ca = folder.resolve("ca.pem").toString();
        String token = folder.resolve("token").toString();
        assertRefused(
                start("http://lab:8080", "--ca", ca, "north"), "--ca is for an https service");
        assertRefused(
                start("https://lab:8443", "--ca", token, "north"), "certificates in PEM format");
        write("ca.pem", CERTIFICATE + "-----BEGIN PRIVATE KEY-----\n");
        assertRefused(start("https://lab:8443", "--ca", ca, "north"), "a file with a private key");
        assertThat(agents()).doesNotExist();
    }

    /** Otherwise removal would leave the worker on the machine. */
    @Test
    void stateIsInTheFolderOfTheHost() throws Exception {
        assertRefused(
                start("http://lab:8080", "--options", "--threads 2 --state /elsewhere", "north"),
                "--options must not have --state");
        assertRefused(
                start("http://lab:8080", "--options", "--state=/elsewhere", "north"),
                "--options must not have --state");

        assertSuccess(start("http://lab:8080", "north"));

        Path north = agents().resolve("north");
        assertThat(north.resolve("log"))
                .content()
                .contains("state in %s\n".formatted(north.resolve("state")));
    }

    @Test
    void fileThatIsNoArchiveIsRefused() throws Exception {
        write("agent.tar.gz", "text");

        assertRefused(start("http://lab:8080", "north"), "--archive must be a gzipped tar file");
    }

    @Test
    void archiveOfEverythingIsRefused() throws Exception {
        TestingTool.run(
                "sh",
                "-euc",
                "cd \"$1\" && mkdir -p all/agent && mv release/bin all/agent && tar -czf agent.tar.gz all",
                "sh",
                folder.toString());

        assertRefused(start("http://lab:8080", "north"), "the archive of the agent alone");
    }

    private static void assertRefused(TestingCommand.Ended ended, String reason) {
        assertThat(ended.status()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output()).contains(reason);
    }
}
