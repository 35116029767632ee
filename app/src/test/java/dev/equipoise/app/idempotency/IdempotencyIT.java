package dev.equipoise.app.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
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
import org.springframework.jdbc.core.simple.JdbcClient;

@RunningService
class IdempotencyIT {

    private final TestingLab lab;
    private final JdbcClient database;
    private final KeptAnswers answers;
    private final String name = "project " + UUID.randomUUID();
    private final String key = UUID.randomUUID().toString();

    IdempotencyIT(
            @Autowired TestingLab lab,
            @Autowired JdbcClient database,
            @Autowired KeptAnswers answers) {
        this.lab = lab;
        this.database = database;
        this.answers = answers;
    }

    @AfterEach
    void clear() {
        lab.clear();
    }

    private TestingClient withKey() {
        return lab.administrator().withKey(key);
    }

    private Answer create() {
        return withKey().post("/projects", Map.of("name", name));
    }

    private int projectsOfTheName() {
        return database.sql("select count(*) from project where name = :name")
                .param("name", name)
                .query(Integer.class)
                .single();
    }

    @Test
    void whatIsSentAgainIsDoneOnceAndAnsweredAsBefore() {
        Answer first = create();
        Answer second = create();

        assertThat(second.status()).isEqualTo(first.status()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().getContentType()).isEqualTo(first.headers().getContentType());
        assertThat(first.headers().getFirst("Idempotency-Replayed")).isNull();
        assertThat(second.headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
        assertThat(projectsOfTheName()).isEqualTo(1);
    }

    @Test
    void anotherRequestUnderTheSameKeyIsRefused() {
        create().expect(201);

        withKey().post("/projects", Map.of("name", name + " too")).problem(422, "key-reused");
        withKey().post("/join-tokens", Map.of("name", name)).problem(422, "key-reused");
    }

    @Test
    void whatWasRefusedLeavesItsKeyFree() {
        withKey().post("/projects", Map.of("nonsense", name)).expect(400);

        create().expect(201);
    }

    @Test
    void aNameThatIsTakenIsToldAsWithoutAKey() {
        lab.administrator().post("/projects", Map.of("name", name)).expect(201);

        create().problem(409, "name-taken");
    }

    @Test
    void keysOfOtherCallersAreOthers() {
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
    void ofManyAtOnceOneHasTheEffectAndAllItsAnswer() throws Exception {
        var start = new CountDownLatch(1);
        Set<String> ids = new HashSet<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> sent = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                sent.add(
                        callers.submit(() -> {
                            start.await();
                            return create();
                        }));
            }
            start.countDown();
            for (Future<Answer> each : sent) {
                ids.add(each.get().expect(201).path("id").asString());
            }
        }

        assertThat(ids).hasSize(1);
        assertThat(projectsOfTheName()).isEqualTo(1);
    }

    /** The service itself could not tell it again without the caller's own token. */
    @Test
    void aSecretThatIsAnsweredOnceIsNotReadableWhereItsAnswerIsKept() {
        var wanted = Map.of("name", name);
        String secret = withKey().post("/join-tokens", wanted).expect(201).path("token").asString();

        byte[] kept =
                database.sql("select body from kept_answer where idempotency_key = :key")
                        .param("key", key)
                        .query(byte[].class)
                        .single();

        assertThat(secret).hasSizeGreaterThan(20);
        assertThat(new String(kept, StandardCharsets.ISO_8859_1)).doesNotContain(secret);
        assertThat(withKey().post("/join-tokens", wanted).expect(201).path("token").asString())
                .isEqualTo(secret);
    }

    @Test
    void afterADayAKeyIsFreeAgain() {
        create().expect(201);
        answers.forget();
        assertThat(create().headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
        database.sql(
                        "update kept_answer set made_at = made_at - interval '25 hours' where idempotency_key = :key")
                .param("key", key)
                .update();

        answers.forget();

        create().problem(409, "name-taken");
    }

    @Test
    void aKeyThatIsNoneIsRefused() {
        lab.administrator()
                .withKey("with space")
                .post("/projects", Map.of("name", name))
                .problem(400, "invalid-request");

        assertThat(projectsOfTheName()).isZero();
    }

    @Test
    void aKeyThatIsTooLongIsRefused() {
        lab.administrator()
                .withKey("k".repeat(256))
                .post("/projects", Map.of("name", name))
                .problem(400, "invalid-request");
    }

    /** A lease is answered long after; in an open transaction its agent would hold a connection. */
    @Test
    void whatAgentsSayHasNoKey() {
        String joinToken =
                lab.administrator()
                        .post("/join-tokens", Map.of("name", name))
                        .expect(201)
                        .path("token")
                        .asString();

        Answer refused =
                lab.administrator().with(joinToken).withKey("with space").post("/agents", "{}");

        assertThat(refused.problem(400, "invalid-request").toString())
                .doesNotContain("Idempotency-Key");
    }

    @Test
    void whoIsNotKnownIsToldSoWhateverTheKey() {
        lab.administrator()
                .with("nobody")
                .withKey(key)
                .post("/projects", Map.of("name", name))
                .problem(401, "unauthenticated");
    }
}
