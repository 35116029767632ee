package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.problem.DatabaseFailureLog;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Kills the embedded database under a running service. */
class DatabaseOutageIT {

    private static final String LIVENESS = "/actuator/health/liveness";
    private static final String READINESS = "/actuator/health/readiness";
    private static final int CONNECTION_TIMEOUT_MILLIS = 1_000;

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.equipoise");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<String> reasons = new CopyOnWriteArrayList<>();

    @TempDir private Path folder;

    /** Listens once the service runs, since its start removes the appenders of loggers. */
    private void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private Path data() {
        return folder.resolve("postgresql/data");
    }

    private TestingInstance service(EmbeddedDatabase database) {
        return TestingInstance.start(
                database,
                "postgres",
                folder.resolve("token"),
                Map.of(
                        "equipoise.checkpoint.folder",
                        folder.resolve("checkpoints"),
                        "spring.datasource.hikari.connection-timeout",
                        CONNECTION_TIMEOUT_MILLIS));
    }

    @Test
    void requestsAreAnsweredWith503UntilTheDatabaseRunsAgain() throws Exception {
        try (EmbeddedDatabase database =
                        EmbeddedDatabase.start(
                                folder.resolve("postgresql"),
                                new SecureRandom(),
                                Patience.PATIENCE);
                TestingInstance service = service(database)) {
            database.watch(Integer.MAX_VALUE, reasons::add);
            TestingClient administrator = service.administrator();
            TestingClient nobody = service.client(null);
            administrator.get("/me").expect(200);
            listen();

            killAndKeepDown();
            await().untilAsserted(() -> assertUnavailable(administrator.get("/me")));
            // The first of these fails in a filter, the second in a controller.
            assertUnavailable(administrator.post("/projects", Map.of("name", "lost")));
            assertUnavailable(
                    nobody.post("/session", Map.of("name", "ann", "password", "a long one")));
            awaitStatus(nobody, READINESS, 503);
            awaitStatus(nobody, LIVENESS, 200);

            allowStart();
            awaitStatus(nobody, READINESS, 200);
            await().untilAsserted(() -> administrator.get("/me").expect(200));
            administrator.post("/projects", Map.of("name", "kept")).expect(201);
        }
        assertThat(reasons).isEmpty();
        assertThat(loggersOfErrors())
                .isNotEmpty()
                .isSubsetOf(DatabaseFailureLog.class.getName(), ServerWatch.class.getName());
    }

    /** Hides a file without which no server starts, so that the test decides when it does. */
    private void killAndKeepDown() throws IOException {
        ProcessHandle server = RunningServer.on(data()).orElseThrow().process();
        Files.move(data().resolve("PG_VERSION"), data().resolve("PG_VERSION.hidden"));
        server.destroyForcibly();
        server.onExit().join();
    }

    private void allowStart() throws IOException {
        Files.move(data().resolve("PG_VERSION.hidden"), data().resolve("PG_VERSION"));
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.problem(503, "busy").path("detail").stringValue())
                .isEqualTo("The database does not answer: try again later");
        assertThat(answer.headers().getFirst("Retry-After")).isEqualTo("5");
    }

    private static void awaitStatus(TestingClient prober, String probe, int status) {
        await().untilAsserted(() -> assertThat(prober.root(probe).status()).isEqualTo(status));
    }

    private List<String> loggersOfErrors() {
        return lines.list.stream()
                .filter(it -> it.getLevel().isGreaterOrEqual(Level.ERROR))
                .map(ILoggingEvent::getLoggerName)
                .distinct()
                .toList();
    }
}
