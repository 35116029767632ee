package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    /** The block of YAML that has the commands of the test. */
    private static final Pattern CHART_TEST = Pattern.compile("(?s)- \\|\n(.+?)\n +resources:");

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
    void killedContainerReturnsAsTheSameWorkerAndItsRunContinues() throws Exception {
        String container = lab.container("slow-2");
        String id = submitFunctional();
        List<String> worker = workerWithProfiles("slow-2");

        lab.docker("kill", container);
        assertContinued(awaitEnd(id));
        lab.docker("start", container);
        lab.awaitAgents(ComposedLab.AGENTS);

        assertThat(workerWithProfiles("slow-2")).isEqualTo(worker).hasSizeGreaterThan(1);
    }

    /** Replaces a container as Kubernetes replaces a dead pod: by another one with its volume. */
    @Test
    void replacedContainerReturnsAsTheSameWorkerAndItsRunContinues() throws Exception {
        String container = lab.container("slow-2");
        String id = submitFunctional();
        List<String> worker = workerWithProfiles("slow-2");

        lab.docker("rm", "--force", container);
        lab.startContainer("slow-2");
        assertContinued(awaitEnd(id));
        lab.awaitAgents(ComposedLab.AGENTS);

        assertThat(lab.container("slow-2")).isNotEqualTo(container);
        assertThat(workerWithProfiles("slow-2")).isEqualTo(worker).hasSizeGreaterThan(1);
    }

    /** Submits a run that needs a profile of each worker, and returns after two of its epochs. */
    private String submitFunctional() {
        String id = submit(6, "replicas: 3, minimum: 2", "functional");
        awaitEpoch(id, 2);
        return id;
    }

    /** Returns the id of the worker of an agent, and those of its profiles that are not stale. */
    private List<String> workerWithProfiles(String agent) {
        String worker = lab.worker(agent);
        Stream<String> profiles =
                lab.api()
                        .get("workers/%s/profiles".formatted(worker))
                        .path("items")
                        .valueStream()
                        .filter(it -> it.path("stale").isEmpty())
                        .map(it -> it.path("id").asString());
        return Stream.concat(Stream.of(worker), profiles).toList();
    }

    private static void assertContinued(JsonNode ended) {
        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("COMPLETED");
        assertThat(ended.path("generation").asInt()).isGreaterThan(1);
    }

    @Test
    void runContinuesAfterAContainerIsDisconnected() throws Exception {
        String id = submit(6, "replicas: 3, minimum: 2", "equal");
        awaitEpoch(id, 2);

        String startedAt = lab.inspect("slow-1", "{{.State.StartedAt}}");
        lab.docker("network", "disconnect", lab.network(), lab.container("slow-1"));
        JsonNode ended = awaitEnd(id);

        assertContinued(ended);
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
    @CsvSource({"fast, 660000000", "slow-1, 330000000", "slow-2, 330000000"})
    void agentHasTheQuotaOfTheComposeFile(String name, String billionthsOfAProcessor)
            throws Exception {
        assertThat(lab.inspect(name, "{{.HostConfig.NanoCpus}}")).isEqualTo(billionthsOfAProcessor);
    }

    @Test
    void helmTestPassesOnTheLab() throws Exception {
        TestingCommand.Ended ended = chartTest("administrator-token");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("\"status\":\"UP\"");
    }

    @Test
    void helmTestFailsWithoutTheTokenOfAnAdministrator() throws Exception {
        TestingCommand.Ended ended = chartTest("join-token");

        assertThat(ended.status()).as(ended.output()).isPositive();
        assertThat(ended.output()).contains("\"status\":\"UP\"").contains("403");
    }

    /**
     * Runs the script of {@code helm test} on the lab, with its addresses for those of the chart.
     *
     * @param token name of the secret that it gets as the token of an administrator
     */
    private TestingCommand.Ended chartTest(String token) throws Exception {
        String pod =
                TestingTree.text(
                        TestingCommand.HOME.resolve("helm/equipoise/templates/tests/service.yaml"));
        Matcher script = CHART_TEST.matcher(pod);
        assertThat(script.find()).isTrue();
        String commands = script.group(1);
        assertThat(commands).as("commands without templates").doesNotContain("{{");
        return TestingCommand.run(
                List.of(
                        "docker",
                        "run",
                        "--rm",
                        "--network=" + lab.network(),
                        "--read-only",
                        "--cap-drop=ALL",
                        "--user=10001:10001",
                        "--env=MANAGEMENT=http://service:8081",
                        "--env=SERVICE=http://service:8080",
                        "--volume=%s:/run/secrets/equipoise/administrator-token:ro"
                                .formatted(lab.secret(token)),
                        "equipoise-base:debian",
                        "sh",
                        "-euc",
                        commands.stripIndent()),
                Map.of());
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

    @ParameterizedTest
    @ValueSource(strings = {"equipoise-service:it", "equipoise-agent:it"})
    void labelsOfAnImageNameItsVersionItsCommitAndItsBase(String image) throws Exception {
        JsonNode labels = json.readTree(inspected(image, "{{json .Config.Labels}}"));
        String version =
                TestingTool.output(
                        Map.of(), TestingCommand.HOME.resolve("equipoise").toString(), "--version");

        assertThat(label(labels, "title") + ":it").isEqualTo(image);
        assertThat(label(labels, "description")).isNotBlank();
        assertThat("equipoise " + label(labels, "version")).isEqualTo(version.strip());
        assertThat(label(labels, "licenses")).isEqualTo("Apache-2.0");
        assertThat(label(labels, "base.name")).isEqualTo("equipoise-base:debian");
        assertThat(label(labels, "revision")).startsWith(ofHead("%H"));
        assertThat(Instant.parse(label(labels, "created")).getEpochSecond())
                .isEqualTo(Long.parseLong(ofHead("%ct")));
    }

    /** Returns a property of the commit that is checked out. */
    private static String ofHead(String format) throws IOException, InterruptedException {
        return TestingTool.output(
                        Map.of(),
                        "git",
                        "-C",
                        TestingCommand.HOME.toString(),
                        "log",
                        "-1",
                        "--format=" + format)
                .strip();
    }

    private static String label(JsonNode labels, String name) {
        return labels.path("org.opencontainers.image." + name).asString();
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
