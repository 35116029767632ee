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
 * {@code ./equipoise over-ssh} starts, upgrades, stops and removes agents on two machines: an sshd
 * of the test at two loopback addresses.
 */
@Night("starts agents on two machines repeatedly, which takes minutes, and needs an SSH server")
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
                "sshd or ssh is not installed");
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

    /** Kills the agents that have not left, by the process ids in their folders. */
    private void killAgents() throws IOException {
        Path agents = folder.resolve("home/.local/share/equipoise-agents");
        for (String host : HOSTS) {
            Path process = agents.resolve(host).resolve("pid");
            if (Files.exists(process)) {
                ProcessHandle.of(Long.parseLong(Files.readString(process).strip()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /**
     * Starts sshd for the user who runs the test, with a key of the test and a home in its folder.
     */
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
        // A privileged sshd separates privileges in an empty folder that Debian creates at boot.
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
        // No agent takes part in a login, so the test is skipped where sshd accepts none.
        assumeTrue(acceptsLogins(), () -> "sshd accepts no login: " + lastLogLine());
    }

    private boolean acceptsLogins() {
        long end = System.nanoTime() + Patience.PATIENCE.toNanos();
        while (sshd.isAlive() && System.nanoTime() < end) {
            if (HOSTS.stream().allMatch(it -> TestingTool.succeeds(ssh(it, "true")))) {
                return true;
            }
            Pause.of(Duration.ofMillis(100));
        }
        return false;
    }

    private String lastLogLine() {
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
     * Packs an archive as {@code ./equipoise packages} does, but without a runtime: the agent runs
     * on that of the test.
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
                        : "not all agents are idle: " + workers("IDLE"));
    }

    /**
     * Waits for a number of LEFT workers. The service may learn of them after their agents have
     * ended, because a leaving agent waits only briefly for its answer.
     */
    private void awaitLeft(int count) {
        ChaosLab.await(() ->
                workers("LEFT").size() == count
                        ? ""
                        : "%d workers must have left: %s".formatted(count, workers("LEFT")));
    }

    @Test
    void startsUpgradesAndStopsAgentsOnAllMachines() throws Exception {
        TestingCommand.Ended started = start(pack("old"));
        assertThat(started.status()).as(started.output()).isZero();
        awaitWorkers();
        assertThat(workers("IDLE"))
                .allMatch(it -> it.at("/labels/room").asString().equals("west"))
                .extracting(it -> it.path("name").asString())
                .containsExactlyInAnyOrderElementsOf(HOSTS);
        List<String> workers = ids(workers("IDLE"));
        assertThat(overSsh("status", HOSTS).status()).isZero();
        assertThat(run()).isEqualTo("COMPLETED");

        TestingCommand.Ended upgraded = start(pack("new"));
        assertThat(upgraded.status()).as(upgraded.output()).isZero();
        awaitWorkers();
        assertThat(ids(workers("IDLE")))
                .as("the upgraded agents are the same workers")
                .containsExactlyInAnyOrderElementsOf(workers);
        assertThat(run()).isEqualTo("COMPLETED");

        TestingCommand.Ended stopped = overSsh("stop", HOSTS);
        assertThat(stopped.status()).as(stopped.output()).isZero();
        awaitLeft(2);
        TestingCommand.Ended status = overSsh("status", HOSTS);
        assertThat(status.status()).isEqualTo(1);
        assertThat(status.output()).contains("127.0.0.2: not running", "127.0.0.3: not running");
    }

    @Test
    void removedAgentsLeaveTheLabAndNoFiles() throws Exception {
        Path agents = folder.resolve("home/.local/share/equipoise-agents");
        TestingCommand.Ended started = start(pack("only"));
        assertThat(started.status()).as(started.output()).isZero();
        awaitWorkers();
        assertThat(agents).isDirectory();

        TestingCommand.Ended removed = overSsh("remove", HOSTS);

        assertThat(removed.status()).as(removed.output()).isZero();
        awaitLeft(2);
        assertThat(agents).doesNotExist();
        assertThat(overSsh("remove", HOSTS).output())
                .contains("127.0.0.2: nothing to remove", "127.0.0.3: nothing to remove");
    }

    private static List<String> ids(List<JsonNode> workers) {
        return workers.stream().map(it -> it.path("id").asString()).toList();
    }

    private String run() {
        int number = api.get("projects?limit=100").path("items").size();
        String project =
                api.post("projects", Map.of("name", "over-ssh " + number)).path("id").asString();
        String run = ChaosLab.submit(api, project, DEFINITION);
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(api.get("runs/" + run)) ? "" : "" + api.get("runs/" + run));
        return api.get("runs/" + run).path("state").asString();
    }

    @Test
    void unreachableMachineIsNamedAndTheOthersAreStillAsked() throws Exception {
        TestingCommand.Ended ended = overSsh("status", List.of("127.0.0.9", "127.0.0.2"));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .contains("127.0.0.9: ssh: connect to host", "127.0.0.2: not running");
    }

    @Test
    void invalidJoinTokenIsReportedWithTheMessageOfTheAgent() throws Exception {
        Files.writeString(folder.resolve("join-token"), "eqj_of-another-lab\n");

        TestingCommand.Ended ended = start(pack("only"));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .contains("127.0.0.3: the agent has not joined the lab", "could not join");
    }
}
