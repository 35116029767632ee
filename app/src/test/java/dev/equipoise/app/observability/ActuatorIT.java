package dev.equipoise.app.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.TestingLab;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;

@RunningService
class ActuatorIT {

    private static final String METRICS = "/actuator/prometheus";
    private static final List<String> HEALTH =
            List.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness");

    private final TestingLab lab;
    private final JdbcConnectionDetails server;

    ActuatorIT(@Autowired TestingLab lab, @Autowired JdbcConnectionDetails server) {
        this.lab = lab;
        this.server = server;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    /** Waits, since a long start leaves the last answer of the database too old for health. */
    private static void awaitHealthy(TestingClient prober, String path) {
        await().untilAsserted(() -> assertThat(prober.root(path).status()).isEqualTo(200));
    }

    @Test
    void healthIsPublicWithoutDetails() {
        for (String path : HEALTH) {
            awaitHealthy(lab.nobody(), path);
            assertThat(lab.nobody().root(path).body().propertyNames())
                    .as(path)
                    .isSubsetOf("status", "groups");
        }
    }

    @Test
    void metricsOfTheMainPortRequireAnAdministrator() {
        lab.nobody().root(METRICS).problem(401, "unauthenticated");
        lab.user().client().root(METRICS).problem(403, "forbidden");
        lab.join("a").client().root(METRICS).problem(403, "forbidden");
        assertThat(lab.administrator().rootText(METRICS)).contains("equipoise_runs{");
    }

    @Test
    void otherActuatorEndpointsAreNotFound() {
        for (String path :
                List.of("/actuator", "/actuator/env", "/actuator/health/database", "/actuator/x")) {
            lab.nobody().root(path).problem(401, "unauthenticated");
            lab.user().client().root(path).problem(403, "forbidden");
            assertThat(lab.administrator().root(path).status()).as(path).isEqualTo(404);
            assertThat(lab.administrator().at(HttpMethod.GET, path, MediaType.TEXT_HTML).status())
                    .as("%s for a browser", path)
                    .isIn(404, 406);
        }
        assertThat(lab.administrator().at(HttpMethod.POST, METRICS, MediaType.ALL).status())
                .isGreaterThanOrEqualTo(400);
    }

    @Test
    void managementPortIsPublicAndReplacesTheMainPort(@TempDir Path folder) {
        try (TestingInstance instance =
                TestingInstance.alone(
                        server,
                        folder,
                        Map.of(
                                "management.server.port",
                                0,
                                "management.endpoints.web.exposure.include",
                                "health, prometheus, env"))) {
            TestingClient inside = instance.management();
            HEALTH.forEach(path -> awaitHealthy(inside, path));
            assertThat(inside.rootText(METRICS))
                    .contains("equipoise_queue_runs{", "jvm_memory_used_bytes", "hikaricp_");
            assertThat(inside.root("/actuator/env").status())
                    .as("values of settings are hidden even if exposed")
                    .isEqualTo(403);
            assertThat(inside.get("/runs").status()).isGreaterThanOrEqualTo(401);
            assertThat(inside.with("eqp_wrong").root(HEALTH.getFirst()).status()).isEqualTo(200);

            TestingClient outside = instance.client(null);
            outside.root(METRICS).problem(401, "unauthenticated");
            assertThat(instance.administrator().root(METRICS).status()).isEqualTo(404);
            for (String path : HEALTH) {
                assertThat(outside.root(path).status()).isEqualTo(404);
                assertThat(outside.at(HttpMethod.GET, path, MediaType.TEXT_HTML).status())
                        .isEqualTo(404);
            }
        }
    }
}
