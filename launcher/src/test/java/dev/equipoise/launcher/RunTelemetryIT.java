package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Patience;
import dev.equipoise.testing.telemetry.TestingCollector;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows one run of a service and two agents through trace, logs and metrics. The agent of rank 1
 * is killed, so that the run has two generations. All tests read what this one run has left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunTelemetryIT {

    private static final List<String> NAMES = List.of("a", "b");

    private static final String SERVICE = "equipoise-service";
    private static final String AGENT = "equipoise-agent";

    /** The run has more epochs than any machine trains before the test cancels it. */
    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: observed
            dataset: { name: synthetic, shape: [28, 28, 1], classes: 10, samples: 600, seed: 1 }
            network: { preset: mnist-cnn }
            training: { epochs: 20000, batchSize: 20 }
            workers: { replicas: 2, minimum: 1 }
            """;

    private final TestingCollector collector = TestingCollector.start();
    private final Map<String, Agent> agents = new HashMap<>();
    private Path folder;
    private OwnService service;
    private ServiceApi api;
    private String run;

    /** Name of the worker that trains in both generations. */
    private String survivor;

    private String serviceMetrics;
    private String agentMetrics;

    /** An agent, and the port at which it serves its metrics. */
    private record Agent(Process process, int statusPort) {

        URI metrics() {
            return URI.create("http://127.0.0.1:%d/metrics".formatted(statusPort));
        }
    }

    @BeforeAll
    void runInTwoGenerations(@TempDir Path shared) throws Exception {
        folder = shared;
        service =
                OwnService.start(
                        folder,
                        Map.of(),
                        "--equipoise.data=" + folder.resolve("data"),
                        "--logging.structured.format.console=ecs",
                        "--management.opentelemetry.tracing.export.otlp.endpoint="
                                + collector.url()
                                + "/v1/traces");
        api = service.api();
        for (String name : NAMES) {
            startAgent(name);
        }
        awaitAgents();
        run = ChaosLab.submit(api, api.project("observed"), DEFINITION);
        awaitEpochs(1);
        survivor = worker(0);
        agent(worker(1)).process().destroyForcibly();
        awaitSecondGeneration();
        awaitEpochs(state().path("epochs").size() + 1);
        api.post("runs/%s/cancel".formatted(run), Map.of());
        ChaosLab.await(() -> ChaosLab.isOver(state()) ? "" : "it has not ended");
        serviceMetrics = scrapeService();
        agentMetrics = scrape(HttpRequest.newBuilder(agent(survivor).metrics()));
        awaitTrace();
        // A log is complete once its process has ended.
        stopProcesses();
    }

    @AfterAll
    void stop() {
        stopProcesses();
        collector.close();
    }

    private void stopProcesses() {
        agents.values().forEach(it -> it.process().destroyForcibly().onExit().join());
        if (api != null) {
            api.close();
        }
        if (service != null) {
            service.close();
        }
    }

    private void startAgent(String name) throws IOException {
        int statusPort = OwnService.freePort();
        Process process =
                TestingCommand.startIn(
                        folder,
                        name,
                        List.of(),
                        Map.of(
                                "EQUIPOISE_JOIN_TOKEN",
                                OwnService.JOINING,
                                "EQUIPOISE_LOG",
                                "json",
                                "OTEL_EXPORTER_OTLP_ENDPOINT",
                                collector.url()),
                        "agent",
                        "--service=" + service.address(),
                        "--name=" + name,
                        "--host=127.0.0.1",
                        "--status-port=" + statusPort);
        agents.put(name, new Agent(process, statusPort));
    }

    private Agent agent(String name) {
        return Objects.requireNonNull(agents.get(name), name);
    }

    private void awaitAgents() {
        ChaosLab.await(() ->
                api.get("workers?limit=10")
                                        .path("items")
                                        .valueStream()
                                        .filter(it -> it.path("state").asString().equals("IDLE"))
                                        .filter(it -> it.path("sees").size() == NAMES.size())
                                        .count()
                                == NAMES.size()
                        ? ""
                        : "the agents have not joined");
    }

    private JsonNode state() {
        return api.get("runs/" + run);
    }

    private void awaitEpochs(int epochs) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> state().path("epochs").size() >= epochs ? "" : "" + state());
    }

    private void awaitSecondGeneration() {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> {
                    JsonNode now = state();
                    boolean isTraining = now.path("state").asString().equals("RUNNING");
                    return now.path("generation").asInt() == 2 && isTraining ? "" : "" + now;
                });
    }

    private String worker(int rank) {
        return state().path("replicas")
                .valueStream()
                .filter(it -> it.path("rank").asInt() == rank)
                .map(it -> it.path("workerName").asString())
                .findFirst()
                .orElseThrow();
    }

    private String scrapeService() throws IOException, InterruptedException {
        return scrape(
                HttpRequest.newBuilder(service.address().resolve("/actuator/prometheus"))
                        .header("Authorization", "Bearer " + OwnService.ADMINISTRATOR));
    }

    private static String scrape(HttpRequest.Builder metrics)
            throws IOException, InterruptedException {
        HttpRequest request = metrics.timeout(Patience.PATIENCE).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(200);
            return response.body();
        }
    }

    /** Waits for the spans that service and survivor send last. */
    private void awaitTrace() {
        ChaosLab.await(() -> {
            boolean isWhole = !collector.named("run").isEmpty() && ranks().size() == 2;
            List<String> names = collector.spans().stream().map(Span::getName).toList();
            return isWhole ? "" : "received spans: " + names;
        });
    }

    /** Returns the spans of the service for the training of each generation. */
    private List<Span> trainings() {
        return collector.spansOf(SERVICE).stream()
                .filter(it -> it.getName().equals("training"))
                .toList();
    }

    private List<Span> ranks() {
        return collector.spansOf(AGENT).stream()
                .filter(it -> it.getName().startsWith("rank "))
                .toList();
    }

    private static long generation(Span span) {
        return span.getAttributesList().stream()
                .filter(it -> it.getKey().equals("equipoise.generation"))
                .mapToLong(it -> it.getValue().getIntValue())
                .findFirst()
                .orElseThrow();
    }

    /** The killed agent sends no span of its rank, which had not ended. */
    @Test
    void serviceAndAgentsSendOneTraceOfTheRun() {
        Span root = collector.named("run").getFirst();

        assertThat(collector.spansOf(SERVICE)).contains(root);
        assertThat(collector.spans())
                .allMatch(it -> TestingCollector.hex(it.getTraceId()).equals(run.replace("-", "")));
        assertThat(root.getEventsList())
                .extracting(Span.Event::getName)
                .containsExactly("regrouped");
        assertThat(trainings())
                .extracting(RunTelemetryIT::generation)
                .containsExactlyInAnyOrder(1L, 2L);
        assertThat(ranks())
                .allMatch(it -> it.getName().equals("rank 0"))
                .allMatch(it -> it.getParentSpanId().equals(root.getSpanId()))
                .allMatch(rank ->
                        collector.named("epoch").stream()
                                .anyMatch(it -> it.getParentSpanId().equals(rank.getSpanId())))
                .extracting(RunTelemetryIT::generation)
                .containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void logLinesOfServiceAndAgentHaveRunAndGeneration() throws IOException {
        for (String program : List.of("service-" + service.port(), survivor)) {
            List<JsonNode> lines = structuredLines(program);

            assertThat(lines)
                    .as(program)
                    .isNotEmpty()
                    .allMatch(it -> it.hasNonNull("@timestamp") && it.hasNonNull("message"));
            assertThat(lines)
                    .as(program)
                    .filteredOn(it -> it.path("run").asString("").equals(run))
                    .extracting(it -> it.path("generation").asString(""))
                    .contains("1", "2");
        }
    }

    /** Reads the lines of a log that are JSON; the JVM may write others. */
    private List<JsonNode> structuredLines(String program) throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("logs").resolve(program + ".log"))) {
            return lines.filter(it -> it.startsWith("{"))
                    .map(it -> JsonMapper.shared().readTree(it))
                    .toList();
        }
    }

    @Test
    void metricsCountTheReconfigurationAndTheEpochs() {
        assertThat(serviceMetrics.lines()).contains("equipoise_regroups_total 1.0");
        assertThat(agentMetrics.lines())
                .anyMatch(it -> it.matches("equipoise_agent_epochs_total [1-9]\\S*"));
    }
}
