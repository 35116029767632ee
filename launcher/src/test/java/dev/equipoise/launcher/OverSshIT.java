package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Night;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Agents that {@code ./equipoise over-ssh} starts, upgrades and stops on two machines: an sshd of
 * the test, at two addresses of the loopback.
 */
@Night("starts agents on two machines over and over, which takes minutes, and needs an SSH server")
class OverSshIT {

    private static final List<String> HOSTS = List.of("127.0.0.2", "127.0.0.3");
    private static final Path SSHD = Path.of("/usr/sbin/sshd");

    private static final Path AGENT = TestingCommand.HOME.resolve("worker-agent");

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: over-ssh
            dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1 }
            network: { preset: mnist-cnn }
            training: { epochs: 1, batchSize: 32 }
            workers: { replicas: 2 }
            """;

    @TempDir private Path folder;

    private Process sshd;
    private OwnService service;
    private ServiceApi api;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(
                Files.isExecutable(SSHD) && TestingTool.succeeds("ssh", "-V"),
                "sshd and ssh are not both there");
        startSshd();
        Files.writeString(folder.resolve("join-token"), OwnService.JOINING + "\n");
        service = OwnService.start(folder, Map.of(), "--equipoise.data=" + folder.resolve("data"));
        api = service.api();
    }

    @AfterEach
    void stop() throws Exception {
        if (api != null) {
            overSsh("stop", HOSTS);
            killAgents();
            api.close();
        }
        if (service != null) {
            service.close();
        }
        if (sshd != null) {
            sshd.destroyForcibly().onExit().join();
        }
    }

    /** Those that have not left: the number of each is where it was started. */
    private void killAgents() throws IOException {
        Path agents = folder.resolve("home/.local/share/equipoise-agents");
        for (String host : HOSTS) {
            Path number = agents.resolve(host).resolve("pid");
            if (Files.exists(number)) {
                ProcessHandle.of(Long.parseLong(Files.readString(number).strip()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** For who runs the test, by a key of the test's; whoever signs in is at home in its folder. */
    private void startSshd() throws IOException, InterruptedException {
        int port = OwnService.freePort();
        for (String key : List.of("host-key", "key")) {
            TestingTool.run(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    folder.resolve(key).toString());
        }
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.copy(folder.resolve("key.pub"), folder.resolve("authorized"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        String addresses =
                String.join("\n", HOSTS.stream().map(it -> "ListenAddress " + it).toList());
        Files.writeString(
                folder.resolve("sshd.conf"),
                """
                Port %d
                %s
                HostKey %s
                AuthorizedKeysFile %s
                PidFile none
                StrictModes no
                UsePAM no
                ForceCommand HOME=%s JAVA_HOME=%s; export HOME JAVA_HOME; cd && eval "$SSH_ORIGINAL_COMMAND"
                """
                        .formatted(
                                port,
                                addresses,
                                folder.resolve("host-key"),
                                folder.resolve("authorized"),
                                home,
                                System.getProperty("java.home")));
        Files.writeString(
                folder.resolve("ssh.conf"),
                """
                Host *
                Port %d
                IdentityFile %s
                IdentitiesOnly yes
                UserKnownHostsFile %s
                StrictHostKeyChecking accept-new
                LogLevel ERROR
                """
                        .formatted(port, folder.resolve("key"), folder.resolve("known")));
        // Who is privileged leaves these to an empty folder, which Debian makes when it boots.
        TestingTool.succeeds("mkdir", "-p", "/run/sshd");
        sshd =
                new ProcessBuilder(
                                SSHD.toString(),
                                "-D",
                                "-e",
                                "-f",
                                folder.resolve("sshd.conf").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("sshd.log").toFile())
                        .start();
        // No agent has a part in that, so a machine that lets nobody in is left out.
        assumeTrue(letsIn(), () -> "sshd lets nobody in here: " + said());
    }

    private boolean letsIn() {
        long end = System.nanoTime() + Patience.PATIENCE.toNanos();
        while (sshd.isAlive() && System.nanoTime() < end) {
            if (HOSTS.stream().allMatch(it -> TestingTool.succeeds(ssh(it, "true")))) {
                return true;
            }
            Pause.of(Duration.ofMillis(100));
        }
        return false;
    }

    /** The last line of its log. */
    private String said() {
        return TestingTree.text(folder.resolve("sshd.log")).lines().reduce("", (_, next) -> next);
    }

    private String[] ssh(String host, String command) {
        return new String[] {
            "ssh", "-F", folder.resolve("ssh.conf").toString(), "-o", "BatchMode=yes", host, command
        };
    }

    private TestingCommand.Ended overSsh(String command, List<String> more)
            throws IOException, InterruptedException {
        return TestingCommand.script(
                Map.of("EQUIPOISE_SSH", "ssh -F " + folder.resolve("ssh.conf")),
                Stream.concat(Stream.of("over-ssh", command), more.stream())
                        .toArray(String[]::new));
    }

    private TestingCommand.Ended start(Path archive) throws IOException, InterruptedException {
        return overSsh(
                "start",
                Stream.concat(
                                Stream.of(
                                        "--archive",
                                        archive.toString(),
                                        "--service",
                                        service.address().toString(),
                                        "--join-token-file",
                                        folder.resolve("join-token").toString(),
                                        "--options",
                                        "--label room=west"),
                                HOSTS.stream())
                        .toList());
    }

    /**
     * As {@code ./equipoise packages} makes it, but for the runtime: it runs on that of the test.
     */
    private Path pack(String version) throws IOException, InterruptedException {
        Path archive = folder.resolve(version + ".tar.gz");
        Path stage = Files.createDirectories(folder.resolve("stage").resolve(version));
        Files.writeString(stage.resolve("version"), version);
        TestingTool.run(
                "sh",
                "-ec",
                """
                cd '%4$s'
                cp -r src/main/package/bin target/lib target/worker-agent.jar '%1$s/'
                tar -C '%1$s/..' -c '%2$s' | gzip -1 >'%3$s'
                rm -r '%1$s'
                """
                        .formatted(stage, version, archive, AGENT));
        return archive;
    }

    private List<JsonNode> workers(String state) {
        return api.get("workers?limit=100&state=" + state).path("items").valueStream().toList();
    }

    private void awaitWorkers() {
        ChaosLab.await(() ->
                workers("IDLE").stream().filter(it -> it.path("sees").size() == 2).count() == 2
                        ? ""
                        : "not all are there: " + workers("IDLE"));
    }

    /** An agent that leaves does not wait long for the service to say that it knows. */
    private void awaitLeft(int count) {
        ChaosLab.await(
                () -> workers("LEFT").size() == count ? "" : "these have left: " + workers("LEFT"));
    }

    @Test
    void agentsAreStartedUpgradedAndStoppedOnAllMachines() throws Exception {
        TestingCommand.Ended started = start(pack("old"));
        assertThat(started.status()).as(started.output()).isZero();
        awaitWorkers();
        assertThat(workers("IDLE"))
                .allMatch(it -> it.at("/labels/room").asString().equals("west"))
                .extracting(it -> it.path("name").asString())
                .containsExactlyInAnyOrderElementsOf(HOSTS);
        assertThat(overSsh("status", HOSTS).status()).isZero();
        assertThat(run()).isEqualTo("COMPLETED");

        TestingCommand.Ended upgraded = start(pack("new"));
        assertThat(upgraded.status()).as(upgraded.output()).isZero();
        awaitWorkers();
        awaitLeft(2);
        assertThat(run()).isEqualTo("COMPLETED");

        TestingCommand.Ended stopped = overSsh("stop", HOSTS);
        assertThat(stopped.status()).as(stopped.output()).isZero();
        awaitLeft(4);
        TestingCommand.Ended status = overSsh("status", HOSTS);
        assertThat(status.status()).isEqualTo(1);
        assertThat(status.output()).contains("127.0.0.2: not there", "127.0.0.3: not there");
    }

    private String run() {
        String project =
                api.post("projects", Map.of("name", "over-ssh " + workers("LEFT").size()))
                        .path("id")
                        .asString();
        String run = ChaosLab.submit(api, project, DEFINITION);
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(api.get("runs/" + run)) ? "" : "" + api.get("runs/" + run));
        return api.get("runs/" + run).path("state").asString();
    }

    @Test
    void aMachineThatDoesNotAnswerIsNamedAndTheOthersAreAskedAllTheSame() throws Exception {
        TestingCommand.Ended ended = overSsh("status", List.of("127.0.0.9", "127.0.0.2"));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .contains("127.0.0.9: ssh: connect to host", "127.0.0.2: not there");
    }

    @Test
    void aTokenThatIsNoneIsToldWithWhatTheAgentSaid() throws Exception {
        Files.writeString(folder.resolve("join-token"), "eqj_of-another-lab\n");

        TestingCommand.Ended ended = start(pack("only"));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains("127.0.0.3: it has not joined", "could not join");
    }
}
