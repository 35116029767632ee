package dev.equipoise.app.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.LockWaits;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

@RunningService
class IdempotencyIT {

    private final TestingLab lab;
    private final JdbcClient database;
    private final StoredResponses responses;
    private final TransactionTemplate transaction;
    private final String name = "project " + UUID.randomUUID();
    private final String key = UUID.randomUUID().toString();
    @LocalServerPort private int port;

    IdempotencyIT(
            @Autowired TestingLab lab,
            @Autowired JdbcClient database,
            @Autowired StoredResponses responses,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.database = database;
        this.responses = responses;
        this.transaction = transaction;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 3000},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
             "workers": {"replicas": 30}}
            """;

    private TestingClient withKey() {
        return lab.administrator().withKey(key);
    }

    private Answer create() {
        return withKey().post("/projects", Map.of("name", name));
    }

    private int projectsWithTheName() {
        return database.sql("select count(*) from project where name = :name")
                .param("name", name)
                .query(Integer.class)
                .single();
    }

    @Test
    void repeatedRequestIsExecutedOnceAndGetsTheSameResponse() {
        Answer first = create();
        Answer second = create();

        assertThat(second.status()).isEqualTo(first.status()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().getContentType()).isEqualTo(first.headers().getContentType());
        assertThat(first.headers().getFirst("Idempotency-Replayed")).isNull();
        assertThat(second.headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
        assertThat(projectsWithTheName()).isEqualTo(1);
    }

    /** The connection breaks as soon as the request is sent. */
    @Test
    void lostResponseIsRepeated() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoLinger(true, 0);
            String body = "{\"name\":\"%s\"}".formatted(name);
            socket.getOutputStream()
                    .write(
                            """
                            POST /api/v1/projects HTTP/1.1\r
                            Host: lab\r
                            Authorization: Bearer %s\r
                            Content-Type: application/json\r
                            Idempotency-Key: %s\r
                            Content-Length: %d\r
                            \r
                            %s\
                            """
                                    .formatted(
                                            lab.administrator().bearer(), key, body.length(), body)
                                    .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> projectsWithTheName() == 1);
        }

        Answer again = create();

        again.expect(201);
        assertThat(again.headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
        assertThat(projectsWithTheName()).isEqualTo(1);
    }

    @Test
    void anotherRequestWithTheSameKeyIsRejected() {
        create().expect(201);

        withKey().post("/projects", Map.of("name", name + " too")).problem(422, "key-reused");
        withKey().post("/join-tokens", Map.of("name", name)).problem(422, "key-reused");
    }

    @Test
    void rejectedRequestLeavesItsKeyFree() {
        withKey().post("/projects", Map.of("nonsense", name)).expect(400);

        create().expect(201);
    }

    @Test
    void takenNameIsReportedAsWithoutAKey() {
        lab.administrator().post("/projects", Map.of("name", name)).expect(201);

        create().problem(409, "name-taken");
    }

    /** The request waits for the row of a run, which has changed when it gets the lock. */
    @Test
    void conflictingRequestIsRetriedWithItsKey() throws Exception {
        TestingLab.Project project = lab.project();
        UUID run = UUID.fromString(project.submitOne(DEFINITION));
        try (ExecutorService callers = Executors.newSingleThreadExecutor()) {
            Future<Answer> canceled =
                    transaction.execute(_ -> {
                        database.sql("update run set version = version + 1 where id = :run")
                                .param("run", run)
                                .update();
                        Future<Answer> response =
                                callers.submit(() ->
                                        project.member()
                                                .withKey(key)
                                                .post("/runs/" + run + "/cancel"));
                        await().until(() -> LockWaits.any(database));
                        return response;
                    });

            assertThat(canceled.get().expect(200).path("state").stringValue())
                    .isEqualTo("CANCELLED");
        }
        assertThat(
                        database.sql("select count(*) from audit_entry where subject = :run")
                                .param("run", run.toString())
                                .query(Integer.class)
                                .single())
                .isEqualTo(1);
    }

    @Test
    void keysOfDifferentCallersAreIndependent() {
        String project = create().expect(201).path("id").asString();
        String token =
                lab.administrator()
                        .post("/tokens", Map.of("name", "other", "project", project))
                        .expect(201)
                        .path("token")
                        .asString();

        lab.administrator()
                .with(token)
                .withKey(key)
                .post("/projects/%s/experiments".formatted(project), "{}")
                .problem(400, "invalid-definition");
    }

    @Test
    void concurrentRequestsHaveOneEffectAndOneResponse() throws Exception {
        var start = new CountDownLatch(1);
        Set<String> ids = new HashSet<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> responses = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                responses.add(
                        callers.submit(() -> {
                            start.await();
                            return create();
                        }));
            }
            start.countDown();
            for (Future<Answer> response : responses) {
                ids.add(response.get().expect(201).path("id").asString());
            }
        }

        assertThat(ids).hasSize(1);
        assertThat(projectsWithTheName()).isEqualTo(1);
    }

    /** The service itself could not decrypt the response without the caller's token. */
    @Test
    void secretInAStoredResponseIsEncrypted() {
        var body = Map.of("name", name);
        String secret = withKey().post("/join-tokens", body).expect(201).path("token").asString();

        byte[] stored =
                database.sql("select body from kept_answer where idempotency_key = :key")
                        .param("key", key)
                        .query(byte[].class)
                        .single();

        assertThat(secret).hasSizeGreaterThan(20);
        assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain(secret);
        assertThat(withKey().post("/join-tokens", body).expect(201).path("token").asString())
                .isEqualTo(secret);
    }

    @Test
    void keyIsFreeAfterADay() {
        create().expect(201);
        responses.forget();
        assertThat(create().headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
        database.sql(
                        "update kept_answer set made_at = made_at - interval '25 hours' where idempotency_key = :key")
                .param("key", key)
                .update();

        responses.forget();

        create().problem(409, "name-taken");
    }

    @Test
    void invalidKeyIsRejected() {
        lab.administrator()
                .withKey("with space")
                .post("/projects", Map.of("name", name))
                .problem(400, "invalid-request");

        assertThat(projectsWithTheName()).isZero();
    }

    @Test
    void tooLongKeyIsRejected() {
        lab.administrator()
                .withKey("k".repeat(256))
                .post("/projects", Map.of("name", name))
                .problem(400, "invalid-request");
    }

    /** A lease is answered much later; in an open transaction its agent would hold a connection. */
    @Test
    void keysOfAgentsAreIgnored() {
        String joinToken =
                lab.administrator()
                        .post("/join-tokens", Map.of("name", name))
                        .expect(201)
                        .path("token")
                        .asString();

        Answer rejected =
                lab.administrator().with(joinToken).withKey("with space").post("/agents", "{}");

        assertThat(rejected.problem(400, "invalid-request").toString())
                .doesNotContain("Idempotency-Key");
    }

    /** A stored response would lack the cookie. */
    @Test
    void keyOfASignInIsIgnored() {
        TestingLab.User user = lab.user();
        TestingClient client = user.client().withKey(key);
        Map<String, String> credentials = Map.of("name", user.name(), "password", user.password());

        Answer first = client.post("/session", credentials);
        Answer second = client.post("/session", credentials);

        assertThat(second.expect(200).path("csrfToken"))
                .isNotEqualTo(first.expect(200).path("csrfToken"));
        assertThat(second.headers().getFirst("Set-Cookie")).isNotNull();
        assertThat(second.headers().getFirst("Idempotency-Replayed")).isNull();
    }

    @Test
    void unauthenticatedRequestGets401DespiteItsKey() {
        lab.administrator()
                .with("nobody")
                .withKey(key)
                .post("/projects", Map.of("name", name))
                .problem(401, "unauthenticated");
    }
}
