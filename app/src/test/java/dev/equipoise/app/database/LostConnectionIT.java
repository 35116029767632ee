package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Cuts the connections to the database while a request with an {@code Idempotency-Key} is in its
 * transaction. A trigger makes the request wait there for a lock that the test holds.
 */
@RunningService
class LostConnectionIT {

    private static final String REPLAYED = "Idempotency-Replayed";

    private static final String FUNCTION =
            """
            create function wait_for_test() returns trigger language plpgsql as
            $$ begin perform pg_advisory_xact_lock(32); return new; end $$
            """;

    private static final String WAIT_IN_INSERT =
            """
            create trigger wait_for_test before insert on audit_entry
                for each row execute function wait_for_test()
            """;

    private static final String WAIT_IN_COMMIT =
            """
            create constraint trigger wait_for_test after insert on audit_entry
                deferrable initially deferred for each row execute function wait_for_test()
            """;

    private static final String LOCK = "do $$ begin perform pg_advisory_lock(32); end $$";
    private static final String UNLOCK = "do $$ begin perform pg_advisory_unlock(32); end $$";

    @TempDir private Path folder;

    private final JdbcConnectionDetails server;

    LostConnectionIT(@Autowired JdbcConnectionDetails server) {
        this.server = server;
    }

    @Test
    void requestWithoutEffectIsExecutedByItsRepetition() throws Exception {
        assertThat(repeatedAfterLoss(WAIT_IN_INSERT).headers().getFirst(REPLAYED)).isNull();
    }

    /** The server does not notice the loss before it has executed the commit. */
    @Test
    void requestWithEffectIsNotExecutedAgain() throws Exception {
        assertThat(repeatedAfterLoss(WAIT_IN_COMMIT).headers().getFirst(REPLAYED))
                .isEqualTo("true");
    }

    private Answer repeatedAfterLoss(String trigger) throws Exception {
        try (FreezingLink link = LinkedServer.linkTo(server);
                TestingInstance service =
                        TestingInstance.alone(new LinkedServer(server, link), folder, Map.of());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                Connection connection = connect(service)) {
            JdbcClient database =
                    JdbcClient.create(new SingleConnectionDataSource(connection, true));
            database.sql(FUNCTION).update();
            database.sql(trigger).update();
            database.sql(LOCK).update();
            TestingClient client = service.administrator().withKey("lost");

            Future<Answer> lost = callers.submit(() -> create(client));
            await().until(() -> isRequestWaiting(database));
            link.cut();

            assertUnavailable(lost.get());
            database.sql(UNLOCK).update();
            // The pool may still have some of the other connections that were cut.
            Answer repeated = await().until(() -> create(client), it -> it.status() != 503);
            repeated.expect(201);
            assertThat(projects(database)).isEqualTo(1);
            return repeated;
        }
    }

    /** Connects to the database of the service without the link. */
    private Connection connect(TestingInstance service) throws Exception {
        String name =
                service.bean(JdbcClient.class)
                        .sql("select current_database()")
                        .query(String.class)
                        .single();
        return DriverManager.getConnection(
                TestingInstance.url(server, name),
                String.valueOf(server.getUsername()),
                String.valueOf(server.getPassword()));
    }

    private static Answer create(TestingClient client) {
        return client.post("/projects", Map.of("name", "lost"));
    }

    private static boolean isRequestWaiting(JdbcClient database) {
        return database.sql(
                        """
                        select exists (select from pg_locks
                        where locktype = 'advisory' and objid = 32 and not granted)
                        """)
                .query(Boolean.class)
                .single();
    }

    private static void assertUnavailable(Answer answer) {
        assertThat(answer.problem(503, "busy").path("detail").stringValue())
                .isEqualTo("The database does not answer: try again later");
        assertThat(answer.headers().getFirst("Retry-After")).isEqualTo("5");
    }

    private static int projects(JdbcClient database) {
        return database.sql("select count(*) from project where name = 'lost'")
                .query(Integer.class)
                .single();
    }
}
