package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingInstance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * Tests a service behind a proxy that ends TLS and reports it in headers that anybody could send.
 */
@RunningService
class ProxyIT {

    private static final String PROXY = "127.0.0.2";
    private static final String OTHER = "127.0.0.3";
    private static final String PASSWORD = "long enough for a proxy";

    private final JdbcConnectionDetails server;

    ProxyIT(@Autowired JdbcConnectionDetails server) {
        this.server = server;
    }

    /** Starts a service that trusts the proxy alone. */
    private TestingInstance behindTheProxy(Path folder, Map<String, String> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("server.forward-headers-strategy", "native");
        all.put("server.tomcat.remoteip.internal-proxies", PROXY);
        return TestingInstance.alone(server, folder, all);
    }

    @Test
    void forwardedHeadersAreTrustedOnlyFromTheProxy(@TempDir Path folder) throws Exception {
        try (TestingInstance instance = behindTheProxy(folder, Map.of())) {
            instance.administrator()
                    .post("/users", Map.of("name", "ada", "password", PASSWORD))
                    .expect(201);

            assertThat(sessionCookie(instance, PROXY)).contains("; Secure");
            assertThat(sessionCookie(instance, OTHER)).doesNotContain("; Secure");
        }
    }

    /** A proxy appends the address of the client to the header that the client has sent. */
    @Test
    void forgedAddressesDoNotEvadeTheLimitOfANetwork(@TempDir Path folder) throws Exception {
        Map<String, String> limit =
                Map.of(
                        "equipoise.rate.sign-in.attempts",
                        "3",
                        "equipoise.rate.sign-in.period",
                        "1h");
        try (TestingInstance instance = behindTheProxy(folder, limit)) {
            for (int forged = 1; forged <= 3; forged++) {
                String address = "198.51.100." + forged;
                assertThat(attempt(instance, PROXY, address + ", 192.0.2.7", "ada")).isEqualTo(401);
                assertThat(attempt(instance, OTHER, address, "ada")).isEqualTo(401);
            }

            assertThat(attempt(instance, PROXY, "198.51.100.4, 192.0.2.7", "ada")).isEqualTo(429);
            assertThat(attempt(instance, OTHER, "198.51.100.4", "ada")).isEqualTo(429);
            assertThat(attempt(instance, PROXY, "192.0.2.8", "ada")).isEqualTo(401);
            assertThat(instance.administrator().get("/audit").expect(200).path("items"))
                    .filteredOn(it -> "sign-in-locked-out".equals(it.path("action").stringValue()))
                    .extracting(it -> it.path("subject").stringValue())
                    .containsExactlyInAnyOrder("192.0.2.7", OTHER);
        }
    }

    @Test
    void attemptsForANameAreLimitedFromAllNetworksTogether(@TempDir Path folder) throws Exception {
        Map<String, String> limit =
                Map.of(
                        "equipoise.rate.sign-in-name.attempts",
                        "3",
                        "equipoise.rate.sign-in-name.period",
                        "1h");
        try (TestingInstance instance = behindTheProxy(folder, limit)) {
            for (int client = 1; client <= 3; client++) {
                assertThat(attempt(instance, PROXY, "192.0.2." + client, "ada")).isEqualTo(401);
            }

            assertThat(attempt(instance, PROXY, "192.0.2.4", "Ada")).isEqualTo(429);
            assertThat(attempt(instance, PROXY, "192.0.2.4", "bob")).isEqualTo(401);
        }
    }

    /** Signs in from an address of this machine and returns the session cookie. */
    private static String sessionCookie(TestingInstance instance, String from)
            throws IOException, InterruptedException {
        return signIn(instance, from, "192.0.2.7", "ada", PASSWORD)
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
    }

    /** Returns the status of an attempt with a wrong password. */
    private static int attempt(
            TestingInstance instance, String from, String forwardedFor, String name)
            throws IOException, InterruptedException {
        return signIn(instance, from, forwardedFor, name, "a wrong password").statusCode();
    }

    private static HttpResponse<Void> signIn(
            TestingInstance instance,
            String from,
            String forwardedFor,
            String name,
            String password)
            throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().localAddress(InetAddress.getByName(from)).build()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(instance.address() + "/api/v1/session"))
                            .header("Content-Type", "application/json")
                            .header("X-Forwarded-Proto", "https")
                            .header("X-Forwarded-For", forwardedFor)
                            .POST(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"name\": \"%s\", \"password\": \"%s\"}"
                                                    .formatted(name, password)))
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
        }
    }
}
