package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;

@RunningService
class HealthIT {

    private static final String DATABASE = "health";
    private static final String LIVENESS = "/actuator/health/liveness";
    private static final String READINESS = "/actuator/health/readiness";

    /**
     * Longer than the test: a probe that waited for a database connection would never be answered.
     */
    private static final Duration CONNECTION_TIMEOUT = Patience.PATIENCE.multipliedBy(5);

    private final JdbcTemplate jdbc;
    private final JdbcConnectionDetails server;

    HealthIT(@Autowired JdbcTemplate jdbc, @Autowired JdbcConnectionDetails server) {
        this.jdbc = jdbc;
        this.server = server;
    }

    private static void awaitStatus(TestingClient prober, String probe, int status) {
        await().untilAsserted(() -> assertThat(prober.root(probe).status()).isEqualTo(status));
    }

    @Test
    void hangingDatabaseFailsReadinessButNotLiveness(@TempDir Path folder) throws Exception {
        jdbc.execute("create database " + DATABASE);
        try (FreezingLink link = LinkedServer.linkTo(server);
                TestingInstance instance =
                        TestingInstance.start(
                                new LinkedServer(server, link),
                                DATABASE,
                                folder.resolve("token"),
                                Map.of(
                                        "equipoise.checkpoint.folder",
                                        folder,
                                        "spring.datasource.hikari.connection-timeout",
                                        CONNECTION_TIMEOUT.toMillis()))) {
            TestingClient prober = instance.client(null);
            awaitStatus(prober, READINESS, 200);

            link.freeze(true);
            try {
                awaitStatus(prober, READINESS, 503);
                awaitStatus(prober, LIVENESS, 200);
            } finally {
                // The service cannot stop while its database hangs.
                link.freeze(false);
            }
            awaitStatus(prober, READINESS, 200);
        } finally {
            jdbc.execute("drop database if exists " + DATABASE + " with (force)");
        }
    }
}
