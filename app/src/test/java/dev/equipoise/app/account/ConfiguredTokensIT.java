package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingInstance;
import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.Registration;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.json.JsonMapper;

@RunningService
class ConfiguredTokensIT {

    private final TestingLab lab;
    private final Tokens tokens;
    private final JsonMapper json;
    private final JdbcConnectionDetails server;
    private final SecureRandom random = new SecureRandom();

    ConfiguredTokensIT(
            @Autowired TestingLab lab,
            @Autowired Tokens tokens,
            @Autowired JsonMapper json,
            @Autowired JdbcConnectionDetails server) {
        this.lab = lab;
        this.tokens = tokens;
        this.json = json;
        this.server = server;
    }

    @AfterEach
    void clear() {
        start(null, null);
        lab.clear();
    }

    /** Acts as a service that starts with these settings. */
    private void start(@Nullable String administratorToken, @Nullable String joinToken) {
        new ConfiguredTokens(tokens, new AccountSettings(null, administratorToken, joinToken))
                .afterSingletonsInstantiated();
    }

    private String random(TokenKind kind) {
        return Secret.random(kind, random).text();
    }

    private TestingClient with(String token) {
        return lab.nobody().with(token);
    }

    private String join(String token, Registration registration) {
        return with(token)
                .post("/agents", json.writeValueAsString(registration))
                .expect(201)
                .path("worker")
                .stringValue();
    }

    @Test
    void configuredAdministratorTokenIsStoredOnce() {
        String token = random(TokenKind.USER);

        start(token, null);
        start(token, null);

        with(token).get("/users").expect(200);
        assertThat(
                        lab.administrator()
                                .get("/tokens")
                                .expect(200)
                                .path("items")
                                .valueStream()
                                .filter(it ->
                                        it.path("name").stringValue().equals("of the settings")))
                .hasSize(1);
    }

    @Test
    void configuredJoinTokenAdmitsAnyNumberOfWorkers() {
        String token = random(TokenKind.JOIN);
        Registration first = TestingLab.registration("first", Map.of());
        Registration second = TestingLab.registration("second", Map.of());

        start(null, token);

        String worker = join(token, first);
        assertThat(join(token, second)).isNotEqualTo(worker);
        assertThat(join(token, first)).as("after a lost response").isEqualTo(worker);
    }

    /** An agent does not retry after a rejection. */
    @Test
    void configuredTokenIsValidAsSoonAsThePortIsOpen(@TempDir Path folder) {
        String token = random(TokenKind.USER);
        List<HttpStatusCode> statuses = new ArrayList<>();
        try (var _ =
                TestingInstance.alone(
                        server,
                        folder,
                        Map.of("equipoise.account.administrator-token", token),
                        address -> statuses.add(status(address, token)))) {
            assertThat(statuses).containsExactly(HttpStatus.OK);
        }
    }

    private static HttpStatusCode status(String address, String token) {
        return RestTestClient.bindToServer()
                .baseUrl(address)
                .build()
                .get()
                .uri("/api/v1/me")
                .header("Authorization", "Bearer " + token)
                .exchange()
                .returnResult(Void.class)
                .getStatus();
    }

    @Test
    void issuedTokenCannotBeConfigured() {
        String once = lab.joinToken();

        assertThatIllegalStateException()
                .isThrownBy(() -> start(null, once))
                .withMessageContaining("that the service has issued")
                .satisfies(it -> assertThat(it.getMessage()).doesNotContain(once));
        join(once, TestingLab.registration("only", Map.of()));
        with(once)
                .post("/agents", json.writeValueAsString(TestingLab.registration("late", Map.of())))
                .problem(401, "unauthenticated");
    }

    @Test
    void tokensRemovedFromTheSettingsAreRevoked() {
        String token = random(TokenKind.USER);
        String joinToken = random(TokenKind.JOIN);
        start(token, joinToken);
        String next = random(TokenKind.USER);

        start(next, null);

        with(next).get("/me").expect(200);
        with(token).get("/me").problem(401, "unauthenticated");
        with(joinToken)
                .post("/agents", json.writeValueAsString(TestingLab.registration("late", Map.of())))
                .problem(401, "unauthenticated");
    }
}
