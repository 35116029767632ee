package dev.equipoise.app.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingHistory;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.run.RunTimeline;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.testing.telemetry.TestingCollector;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import tools.jackson.databind.JsonNode;

@RunningService
class TraceIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "traced", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 2, "batchSize": 10},
             "workers": {"replicas": 1}}
            """;

    private final TestingLab lab;
    private final RunTimeline runs;
    private final RunTraces here;
    private final JdbcConnectionDetails server;

    TraceIT(
            @Autowired TestingLab lab,
            @Autowired RunTimeline runs,
            @Autowired RunTraces here,
            @Autowired JdbcConnectionDetails server) {
        this.lab = lab;
        this.runs = runs;
        this.here = here;
        this.server = server;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Any instance can export the trace, since it needs only what the database has. */
    @Test
    void endedRunIsOneTraceWithTheIdOfTheRun() {
        TestingHistory history = TestingHistory.in(lab);
        RunId run = RunId.of(UUID.fromString(history.runs().getFirst()));
        try (TestingCollector collector = TestingCollector.start()) {
            String parent;
            try (var traces =
                    new RunTraces(
                            OtlpHttpSpanExporter.builder()
                                    .setEndpoint(collector.url() + "/v1/traces")
                                    .build())) {
                parent = String.valueOf(traces.parent(run));
                runs.of(run).ifPresent(traces::export);
            }

            String trace = run.toString().replace("-", "");
            Span whole = collector.named("run").getFirst();
            assertThat(collector.spans())
                    .extracting(Span::getName)
                    .containsExactlyInAnyOrder("run", "queued", "placement", "training");
            assertThat(collector.spans())
                    .allMatch(it -> TestingCollector.hex(it.getTraceId()).equals(trace))
                    .filteredOn(it -> !it.equals(whole))
                    .allMatch(it -> it.getParentSpanId().equals(whole.getSpanId()))
                    .allMatch(it ->
                            it.getStartTimeUnixNano() >= whole.getStartTimeUnixNano()
                                    && it.getEndTimeUnixNano() <= whole.getEndTimeUnixNano());
            assertThat(whole.getParentSpanId().isEmpty()).isTrue();
            assertThat(parent)
                    .isEqualTo(
                            "00-%s-%s-01"
                                    .formatted(trace, TestingCollector.hex(whole.getSpanId())));
        }
    }

    /** Joins an agent and returns its first assignment. */
    private static JsonNode firstAssignment(TestingInstance instance) {
        String joining =
                instance.administrator()
                        .post("/join-tokens", Map.of())
                        .expect(201)
                        .path("token")
                        .stringValue();
        Registration registration = TestingLab.registration("traced");
        String id =
                instance.client(joining)
                        .post("/agents", registration)
                        .expect(201)
                        .path("worker")
                        .stringValue();
        TestingClient agent = instance.client(registration.credential().text());
        Set<WorkerId> sees = Set.of(WorkerId.of(UUID.fromString(id)));
        var heartbeat = new Heartbeat(registration.clusterAddress(), sees, false);
        return await().pollInSameThread()
                .until(() -> lease(agent, id, heartbeat), answer -> answer.status() != 204)
                .expect(200);
    }

    /** Sends a heartbeat before each lease request, since the clock of this service runs. */
    private static Answer lease(TestingClient agent, String id, Heartbeat heartbeat) {
        agent.post("/agents/" + id + "/heartbeat", heartbeat).expect(200);
        return agent.post("/agents/" + id + "/lease?wait=2");
    }

    @Test
    void disabledTracesAreNotCreated() {
        assertThat(here.areEnabled()).isFalse();
        assertThat(here.parent(RunId.of(UUID.randomUUID()))).isNull();
    }

    @Test
    void serviceWithACollectorExportsRunsAndSendsTraceParentsToAgents(@TempDir Path folder) {
        try (TestingCollector collector = TestingCollector.start();
                TestingInstance instance =
                        TestingInstance.alone(
                                server,
                                folder,
                                Map.of(
                                        "management.opentelemetry.tracing.export.otlp.endpoint",
                                        collector.url() + "/v1/traces"))) {
            TestingClient administrator = instance.administrator();
            String project =
                    administrator
                            .post("/projects", Map.of("name", "traced"))
                            .expect(201)
                            .path("id")
                            .stringValue();
            String experiment =
                    administrator
                            .post("/projects/" + project + "/experiments", DEFINITION)
                            .expect(201)
                            .path("id")
                            .stringValue();
            String run =
                    administrator
                            .post("/experiments/" + experiment + "/runs")
                            .expect(202)
                            .at("/items/0/id")
                            .stringValue();
            String parent = firstAssignment(instance).path("traceparent").stringValue();
            administrator.post("/runs/" + run + "/cancel").expect(200);

            await().untilAsserted(() -> assertThat(collector.named("run")).hasSize(1));
            Span whole = collector.named("run").getFirst();
            assertThat(TestingCollector.hex(whole.getTraceId())).isEqualTo(run.replace("-", ""));
            assertThat(parent)
                    .isEqualTo(
                            "00-%s-%s-01"
                                    .formatted(
                                            run.replace("-", ""),
                                            TestingCollector.hex(whole.getSpanId())));
            await().untilAsserted(() -> assertThat(collector.named("queued")).hasSize(1));
        }
    }
}
