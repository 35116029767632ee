package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.JsonNode;

/**
 * Runs in a lab of its own, since its tests remove administrators and exceed the limit of sign-ins,
 * which would break other tests.
 */
@RunningService
class GuardedLabIT {

    private static final EncodedPassword PASSWORD = new EncodedPassword("{noop}never used");

    @TempDir private static Path folder;

    private final JdbcConnectionDetails server;
    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private final Caller.User caller =
            new Caller.User(
                    "somebody", null, UUID.randomUUID(), Access.everywhere(Role.ADMINISTRATOR));
    private @Nullable TestingInstance started;

    GuardedLabIT(@Autowired JdbcConnectionDetails server) {
        this.server = server;
    }

    @BeforeEach
    void start() {
        started =
                TestingInstance.alone(
                        server,
                        folder,
                        Map.of(
                                "equipoise.rate.sign-in.attempts", "3",
                                "equipoise.rate.sign-in.period", "1h",
                                "logging.level.dev.equipoise", "error"));
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        if (started != null) {
            started.close();
        }
    }

    private TestingInstance instance() {
        return Objects.requireNonNull(started);
    }

    private Users users() {
        return instance().bean(Users.class);
    }

    private Tokens tokens() {
        return instance().bean(Tokens.class);
    }

    /** Returns the first token of the lab. */
    private UUID first() {
        return instance()
                .bean(JdbcClient.class)
                .sql("select id from access_token where name = 'first administrator'")
                .query(UUID.class)
                .single();
    }

    /** Returns an administrator who calls with the first token of the lab. */
    private Caller.User bearer() {
        return new Caller.User(
                "first administrator", null, first(), Access.everywhere(Role.ADMINISTRATOR));
    }

    private static void assertRejected(Throwable rejection) {
        assertThat(rejection)
                .hasMessageContaining("The lab must keep an administrator")
                .isInstanceOfSatisfying(
                        Problem.class,
                        it -> assertThat(it.code()).isEqualTo(ErrorCode.ILLEGAL_STATE));
    }

    /** The token of the caller does not exist: it was revoked since it was authenticated. */
    @Test
    void tokenThatIsRevokedMeanwhileCreatesAndRevokesNoTokens() {
        var unlimited = new TokenScope(null, null, Role.ADMINISTRATOR, null);

        for (ThrowingCallable change :
                List.<ThrowingCallable>of(
                        () -> tokens().issue(caller, "more", unlimited),
                        () -> tokens().revoke(caller, first()))) {
            assertThatThrownBy(change)
                    .isInstanceOfSatisfying(
                            Problem.class,
                            it -> assertThat(it.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
        }
    }

    /** A user of an identity provider does not count as an administrator credential. */
    @Test
    void lastAdministratorCredentialCannotBeRemoved() {
        users().invite(caller, new Identity("https://provider.example", "s", "foreign"), true);

        assertThatThrownBy(() -> tokens().revoke(bearer(), first()))
                .satisfies(GuardedLabIT::assertRejected);

        UUID last = users().create(caller, "last", PASSWORD, true).id();
        tokens().revoke(bearer(), first());
        for (Users.Amendment removal :
                List.of(
                        new Users.Amendment(null, false, null),
                        new Users.Amendment(null, null, true))) {
            assertThatThrownBy(() -> users().amend(caller, last, removal, null))
                    .satisfies(GuardedLabIT::assertRejected);
        }
        assertThatThrownBy(() -> users().remove(caller, last))
                .satisfies(GuardedLabIT::assertRejected);
        users().amend(caller, last, new Users.Amendment(PASSWORD, null, null), null);
    }

    @Test
    void concurrentRemovalsKeepOneAdministratorCredential() {
        UUID last = users().create(caller, "last", PASSWORD, true).id();
        UUID first = first();
        AtomicReference<Future<?>> other = new AtomicReference<>();

        instance()
                .bean(TransactionOperations.class)
                .executeWithoutResult(_ -> {
                    tokens().revoke(bearer(), first);
                    Future<?> removal = threads.submit(() -> users().remove(caller, last));
                    other.set(removal);
                    await().until(() -> removal.isDone() || isLockAwaited());
                });

        assertThatThrownBy(() -> other.get().get())
                .satisfies(it -> assertRejected(Objects.requireNonNull(it.getCause())));
    }

    private boolean isLockAwaited() {
        return instance()
                .bean(JdbcClient.class)
                .sql(
                        """
                        select exists (
                            select from pg_locks
                            where locktype = 'advisory' and not granted
                              and database = (select oid from pg_database
                                              where datname = current_database()))
                        """)
                .query(Boolean.class)
                .single();
    }

    @Test
    void tooManySignInAttemptsAreRejectedAndAuditedOnce() {
        users().create(caller, "ann", PASSWORD, false);
        for (int attempt = 0; attempt < 3; attempt++) {
            signIn("ann").problem(401, "unauthenticated");
        }

        Answer rejected = signIn("ann");
        signIn("ann").problem(429, "rate-limited");
        signIn("a password in the place of a name").problem(429, "rate-limited");

        rejected.problem(429, "rate-limited");
        assertThat(Integer.valueOf(rejected.headers().getFirst(HttpHeaders.RETRY_AFTER)))
                .isBetween(1_000, 1_200);
        List<JsonNode> entries =
                instance()
                        .administrator()
                        .get("/audit")
                        .expect(200)
                        .path("items")
                        .valueStream()
                        .filter(it -> it.path("action").stringValue().startsWith("sign"))
                        .toList();
        assertThat(entries).hasSize(1);
        assertThat(entries.getFirst().path("action").stringValue()).isEqualTo("sign-in-locked-out");
        assertThat(entries.getFirst().path("subject").stringValue()).isEqualTo("127.0.0.1");
        assertThat(entries.getFirst().at("/detail/name").stringValue()).isEqualTo("ann");
    }

    @Test
    void waysToSignInTellWhetherThereAreUsers() {
        assertThat(hasUsers()).isFalse();

        users().create(caller, "ann", PASSWORD, false);

        assertThat(hasUsers()).isTrue();
    }

    private boolean hasUsers() {
        return instance().client(null).get("/sign-in").expect(200).path("users").booleanValue();
    }

    /** Guesses of passwords, tokens and codes count together. */
    @Test
    void attemptsWithTokensAndCodesCountAsThoseWithPasswords() {
        signIn("ann").problem(401, "unauthenticated");
        signInBy("token").problem(401, "unauthenticated");
        signInBy("code").problem(401, "unauthenticated");

        signInBy("token").problem(429, "rate-limited");
        signInBy("code").problem(429, "rate-limited");
        signIn("ann").problem(429, "rate-limited");
    }

    private Answer signInBy(String proof) {
        return instance().client(null).post("/session", Map.of(proof, "eqp_a-wrong-one"));
    }

    private Answer signIn(String name) {
        return instance()
                .client(null)
                .post("/session", Map.of("name", name, "password", "a wrong password"));
    }
}
