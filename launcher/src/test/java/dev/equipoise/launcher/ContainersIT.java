package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs in a lab of containers, each agent with a limit of its processor, on images that {@code
 * ./equipoise test --containers} builds first.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainersIT {

    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

    private final JsonMapper json = JsonMapper.builder().build();
    private ComposedLab lab;
    private String project;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        assumeTrue(
                Boolean.getBoolean("equipoise.containers"),
                "containers/test.sh builds the images and runs this class");
        lab = ComposedLab.start(folder.resolve("secrets"));
        project = lab.api().post("projects", Map.of("name", "containers")).path("id").asString();
    }

    @AfterAll
    void stop() throws Exception {
        if (lab != null) {
            lab.close();
        }
    }

    private JsonNode run(String id) {
        return lab.api().get("runs/" + id);
    }

    private String submit(int epochs, String workers, String partitioning) {
        return ChaosLab.submit(lab.api(), project, definition(epochs, workers, partitioning));
    }

    private static String definition(int epochs, String workers, String partitioning) {
        return """
        apiVersion: equipoise/v1
        name: containers
        dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 6000, seed: 1 }
        network: { preset: mnist-cnn }
        training: { epochs: %d, batchSize: 32 }
        workers: { %s }
        partitioning: { kind: %s }
        """
                .formatted(epochs, workers, partitioning);
    }

    private JsonNode awaitEnd(String id) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> ChaosLab.isOver(run(id)) ? "" : "it has not ended: " + run(id));
        return run(id);
    }

    private void awaitEpoch(String id, int epoch) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> run(id).at("/progress/epoch").asInt() >= epoch ? "" : "it is at " + run(id));
    }

    @Test
    void agentWithLessProcessorTimeGetsASmallerShare() {
        JsonNode ended = awaitEnd(submit(2, "replicas: 3", "functional"));

        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("COMPLETED");
        assertThat(share(ended, "fast"))
                .isGreaterThan(share(ended, "slow-1") * 5 / 4)
                .isGreaterThan(share(ended, "slow-2") * 5 / 4);
    }

    private static int share(JsonNode run, String worker) {
        return run.path("replicas")
                .valueStream()
                .filter(it -> it.path("workerName").asString().equals(worker))
                .mapToInt(it -> it.path("share").asInt())
                .sum();
    }

    @Test
    void runContinuesAfterAContainerIsKilled() throws Exception {
        String id = submit(6, "replicas: 3, minimum: 2", "equal");
        awaitEpoch(id, 2);

        lab.docker("kill", lab.container("slow-2"));
        JsonNode ended = awaitEnd(id);

        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("COMPLETED");
        assertThat(ended.path("generation").asInt()).isGreaterThan(1);
        lab.docker("start", lab.container("slow-2"));
        lab.awaitAgents(ComposedLab.AGENTS);
    }

    @Test
    void runContinuesAfterAContainerIsDisconnected() throws Exception {
        String id = submit(6, "replicas: 3, minimum: 2", "equal");
        awaitEpoch(id, 2);

        String startedAt = lab.inspect("slow-1", "{{.State.StartedAt}}");
        lab.docker("network", "disconnect", lab.network(), lab.container("slow-1"));
        JsonNode ended = awaitEnd(id);

        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("COMPLETED");
        assertThat(ended.path("generation").asInt()).isGreaterThan(1);
        assertThat(share(ended, "slow-1")).isZero();
        // The container ran all the time and is still disconnected.
        assertThat(lab.inspect("slow-1", "{{.State.StartedAt}}")).isEqualTo(startedAt);
        assertThat(lab.inspect("slow-1", "{{json .NetworkSettings.Networks}}")).isEqualTo("{}");
        // A new connection gives it another address than the one by which it was known.
        lab.docker("network", "connect", lab.network(), lab.container("slow-1"));
        lab.docker("restart", lab.container("slow-1"));
        lab.awaitAgents(ComposedLab.AGENTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"service", "fast"})
    void containerRunsUnprivilegedOnAReadOnlyFileSystem(String name) throws Exception {
        assertThat(lab.inspect(name, "{{.Config.User}}")).isEqualTo("10001:10001");
        assertThat(lab.inspect(name, "{{.HostConfig.ReadonlyRootfs}}")).isEqualTo("true");
        assertThat(lab.inspect(name, "{{.HostConfig.CapDrop}}")).isEqualTo("[ALL]");
        ChaosLab.await(() -> lab.isHealthy(name) ? "" : name + " is not healthy");
        // A folder that is writable for everyone and on no volume of the image.
        assertThat(lab.output(name, "ls", "-ld", "/var/tmp")).startsWith("drwxrwxrwt");
        assertThat(lab.output(name, "sh", "-c", "echo >/var/tmp/x || true"))
                .contains("Read-only file system");
    }

    @ParameterizedTest
    @ValueSource(strings = {"database", "service", "fast"})
    void inspectionOfAContainerShowsNoSecret(String name) throws Exception {
        assertThat(lab.secrets()).hasSize(3);
        assertThat(lab.inspect(name, "{{json .}}"))
                .contains("/run/secrets/")
                .doesNotContain(lab.secrets());
    }

    /** The option must replace the status port of the image; an agent would reject both. */
    @Test
    void statusPortOptionReplacesThatOfTheImage() throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.run(
                        List.of(
                                "docker",
                                "run",
                                "--rm",
                                "--network=none",
                                "equipoise-agent:it",
                                "--service=http://127.0.0.1:1",
                                "--join-token=eqj_none",
                                "--status-port=70000"),
                        Map.of());

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.output()).contains("--status-port must be from 0 to 65535, but was 70000");
    }

    @Test
    void firstTokenOfAServiceIsInAFileAndNotInItsLog() throws Exception {
        String service = lab.startAnotherService();
        try {
            ChaosLab.await(() ->
                    log(service).contains("dministrator token") ? "" : "so far: " + log(service));

            assertThat(log(service)).doesNotContain("eqp_");
            assertThat(
                            TestingTool.output(
                                    Map.of(),
                                    "docker",
                                    "exec",
                                    service,
                                    "cat",
                                    "/var/lib/equipoise/administrator-token"))
                    .startsWith("eqp_");
        } finally {
            lab.docker("rm", "--force", "--volumes", service);
        }
    }

    private static String log(String container) {
        try {
            return TestingTool.output(Map.of(), "docker", "logs", container);
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Bounds are in millions of bytes. */
    @ParameterizedTest
    @CsvSource({"equipoise-service:it, 250", "equipoise-agent:it, 350"})
    void imageIsSmall(String image, long bound) throws Exception {
        assertThat(Long.parseLong(inspected(image, "{{.Size}}"))).isLessThan(bound * 1_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"equipoise-service:it", "equipoise-agent:it"})
    void imageNamesThePlatformOfThisMachine(String image) throws Exception {
        String machine = TestingTool.output(Map.of(), "uname", "-m").strip();

        assertThat(inspected(image, "{{index .Config.Labels \"dev.equipoise.platform\"}}"))
                .isEqualTo("linux-" + machine);
    }

    private static String inspected(String image, String format)
            throws IOException, InterruptedException {
        return TestingTool.output(Map.of(), "docker", "image", "inspect", "--format", format, image)
                .strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"equipoise-service:it", "equipoise-agent:it"})
    void sbomOfAnImageListsItsJarsAndItsRuntime(String image) throws Exception {
        List<JsonNode> components = components(image);

        assertThat(components)
                .filteredOn(it -> purl(it).startsWith("pkg:maven/"))
                .extracting(ContainersIT::jar)
                .containsExactlyInAnyOrder(output(image, "ls", "/opt/equipoise/lib").split("\n"));
        assertThat(components)
                .filteredOn(it -> it.path("type").asString().equals("platform"))
                .extracting(it -> it.path("version").asString())
                .containsExactly(System.getProperty("java.runtime.version"));
    }

    @Test
    void sbomOfTheServiceListsThePackagesOfTheDashboard() throws Exception {
        assertThat(components("equipoise-service:it"))
                .extracting(ContainersIT::purl)
                .anyMatch(it -> it.startsWith("pkg:npm/react@"));
    }

    private List<JsonNode> components(String image) throws IOException, InterruptedException {
        JsonNode bill = json.readTree(output(image, "cat", "/opt/equipoise/sbom.json"));
        assertThat(bill.path("bomFormat").asString()).isEqualTo("CycloneDX");
        return bill.path("components").valueStream().toList();
    }

    private static String output(String image, String program, String file)
            throws IOException, InterruptedException {
        return TestingTool.output(
                Map.of(),
                "docker",
                "run",
                "--rm",
                "--network=none",
                "--entrypoint=/bin/" + program,
                image,
                file);
    }

    private static String purl(JsonNode component) {
        return component.path("purl").asString();
    }

    /** Returns the name under which Maven copies it to a folder. */
    private static String jar(JsonNode component) {
        var classifier = CLASSIFIER.matcher(purl(component));
        return "%s-%s%s.jar"
                .formatted(
                        component.path("name").asString(),
                        component.path("version").asString(),
                        classifier.find() ? "-" + classifier.group(1) : "");
    }

    /** The compose file publishes the ports, not the images. */
    @Test
    void onlyTheServiceIsPublishedAndOnlyOnTheLoopback() throws Exception {
        for (String name : List.of("database", "fast", "slow-1", "slow-2")) {
            assertThat(lab.inspect(name, "{{json .HostConfig.PortBindings}}"))
                    .as(name)
                    .isIn("{}", "null");
        }
        assertThat(lab.inspect("service", "{{json .HostConfig.PortBindings}}"))
                .contains("\"HostIp\":\"127.0.0.1\"")
                .doesNotContain("8081");
    }
}
