package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;

/** Tests signing in at an identity provider with a browser that keeps its cookies. */
@RunningService
class OidcIT {

    private static final TestingProvider PROVIDER = new TestingProvider();

    private final TestingLab lab;
    private final SignIn signIn;
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;

    OidcIT(@Autowired TestingLab lab, @Autowired SignIn signIn, @LocalServerPort int port) {
        this.lab = lab;
        this.signIn = signIn;
        this.port = port;
    }

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry properties) {
        properties.add("equipoise.oidc.issuer", PROVIDER::issuer);
        properties.add("equipoise.oidc.client-id", () -> TestingProvider.CLIENT);
        properties.add("equipoise.oidc.client-secret", () -> "secret");
        properties.add("equipoise.oidc.admission.newcomers", () -> "true");
        properties.add("equipoise.oidc.admission.email-domains", () -> "lab.example");
        properties.add("equipoise.oidc.admission.claim", () -> "groups");
        properties.add("equipoise.oidc.admission.value", () -> "researchers");
        properties.add(
                "equipoise.account.administrator-token-file",
                () -> "target/administrator-token-of-oidc");
    }

    @AfterAll
    static void close() {
        PROVIDER.close();
    }

    private HttpResponse<String> get(URI address, String cookie)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(address).header(HttpHeaders.COOKIE, cookie).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String cookie(HttpResponse<String> response, String name) {
        return response.headers().allValues(HttpHeaders.SET_COOKIE).stream()
                .filter(it -> it.startsWith(name + "="))
                .map(it -> it.substring(0, it.indexOf(';')))
                .findFirst()
                .orElse("none=none");
    }

    /** Follows the redirects to the provider and back. */
    private HttpResponse<String> signIn() throws IOException, InterruptedException {
        String start = lab.nobody().get("/sign-in").expect(200).path("oidc").stringValue();
        HttpResponse<String> toProvider =
                get(URI.create("http://127.0.0.1:%d%s".formatted(port, start)), "none=none");
        URI provider =
                URI.create(toProvider.headers().firstValue(HttpHeaders.LOCATION).orElseThrow());
        assertThat(provider.toString()).startsWith(PROVIDER.issuer() + "/authorize");
        return get(PROVIDER.agree(provider), cookie(toProvider, "JSESSIONID"));
    }

    private JsonNode me(HttpResponse<String> signedIn) {
        return lab.nobody()
                .withHeader(HttpHeaders.COOKIE, cookie(signedIn, "equipoise_session"))
                .get("/me")
                .expect(200);
    }

    @Test
    void userOfTheProviderGetsAnAccountAndASession() throws Exception {
        String name = "ann-" + UUID.randomUUID();
        PROVIDER.setUser(name + "-subject", name);

        HttpResponse<String> first = signIn();
        HttpResponse<String> again = signIn();

        assertThat(first.statusCode()).isEqualTo(302);
        assertThat(first.headers().firstValue(HttpHeaders.LOCATION)).hasValue("/");
        assertThat(me(first).path("name").stringValue()).isEqualTo(name);
        assertThat(me(first).path("administrator").booleanValue()).isFalse();
        assertThat(me(again).path("account")).isEqualTo(me(first).path("account"));
    }

    @Test
    void nameOfALocalUserIsRejected() throws Exception {
        String name = "local-" + UUID.randomUUID();
        lab.administrator()
                .post("/users", Map.of("name", name, "password", "a long enough one"))
                .expect(201);
        PROVIDER.setUser(name + "-subject", name);

        HttpResponse<String> rejected = signIn();

        assertThat(rejected.statusCode()).isEqualTo(409);
        assertThat(rejected.body()).contains("name-taken");
        assertThat(rejected.headers().allValues(HttpHeaders.SET_COOKIE))
                .noneMatch(it -> it.startsWith("equipoise_session"));
    }

    @Test
    void disabledUserIsRejected() throws Exception {
        String name = "left-" + UUID.randomUUID();
        PROVIDER.setUser(name + "-subject", name);
        String account = me(signIn()).path("account").stringValue();
        lab.administrator().patch("/users/" + account, Map.of("disabled", true)).expect(200);

        assertThat(signIn().statusCode()).isEqualTo(403);
    }

    @Test
    void userWithoutAnAddressOfTheLabIsRejected() throws Exception {
        String name = "stranger-" + UUID.randomUUID();
        PROVIDER.setUser(name, name + "@elsewhere.example", List.of("researchers"));

        HttpResponse<String> rejected = signIn();

        assertThat(rejected.statusCode()).isEqualTo(403);
        assertThat(rejected.body()).contains("\"forbidden\"", "email addresses at lab.example");
        assertThat(rejected.headers().allValues(HttpHeaders.SET_COOKIE))
                .noneMatch(it -> it.startsWith("equipoise_session"));
        assertThat(lab.administrator().get("/users?limit=500").expect(200).path("items"))
                .noneMatch(it -> it.path("name").stringValue().equals(name));
    }

    @Test
    void userWhoLeftTheGroupGetsNoNewSession() throws Exception {
        String name = "researcher-" + UUID.randomUUID();
        String address = name + "@lab.example";
        PROVIDER.setUser(name, address, List.of("researchers"));
        assertThat(signIn().statusCode()).isEqualTo(302);
        PROVIDER.setUser(name, address, List.of("alumni"));

        HttpResponse<String> rejected = signIn();

        assertThat(rejected.statusCode()).isEqualTo(403);
        assertThat(rejected.body()).contains("value of the claim groups");
    }

    @Test
    void withoutNewcomersAnAdministratorCreatesTheAccount() {
        String name = "invited-" + UUID.randomUUID();
        Identity identity = new Identity(PROVIDER.issuer(), name + "-subject", name);

        assertThatThrownBy(() -> signIn.as(identity, false))
                .hasMessageContaining(name + "-subject at the identity provider, has no account")
                .isInstanceOfSatisfying(
                        Problem.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.FORBIDDEN));

        lab.administrator()
                .post("/users", Map.of("name", name, "subject", name + "-subject"))
                .expect(201);

        assertThat(signIn.as(identity, false).session().name()).isEqualTo(name);
        lab.administrator()
                .post("/users", Map.of("name", name + "-2", "subject", name + "-subject"))
                .problem(409, "name-taken");
    }

    @Test
    void forgedRedirectIsRejected() throws Exception {
        HttpResponse<String> forged =
                get(
                        URI.create(
                                "http://127.0.0.1:%d/login/oauth2/code/lab?code=x&state=y"
                                        .formatted(port)),
                        "none=none");

        assertThat(forged.statusCode()).isEqualTo(401);
        assertThat(forged.body()).contains("unauthenticated");
    }
}
