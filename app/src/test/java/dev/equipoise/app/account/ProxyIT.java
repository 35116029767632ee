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

    @Test
    void forwardedHeadersAreTrustedOnlyFromTheProxy(@TempDir Path folder) throws Exception {
        try (TestingInstance instance =
                TestingInstance.alone(
                        server,
                        folder,
                        Map.of(
                                "server.forward-headers-strategy",
                                "native",
                                "server.tomcat.remoteip.internal-proxies",
                                PROXY))) {
            instance.administrator()
                    .post("/users", Map.of("name", "ada", "password", PASSWORD))
                    .expect(201);

            assertThat(sessionCookie(instance, PROXY)).contains("; Secure");
            assertThat(sessionCookie(instance, OTHER)).doesNotContain("; Secure");
        }
    }

    /** Signs in from an address of this machine and returns the session cookie. */
    private static String sessionCookie(TestingInstance instance, String from)
            throws IOException, InterruptedException {
        try (HttpClient http =
                HttpClient.newBuilder().localAddress(InetAddress.getByName(from)).build()) {
            HttpResponse<Void> response =
                    http.send(
                            HttpRequest.newBuilder(
                                            URI.create(instance.address() + "/api/v1/session"))
                                    .header("Content-Type", "application/json")
                                    .header("X-Forwarded-Proto", "https")
                                    .header("X-Forwarded-For", "192.0.2.7")
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    "{\"name\": \"ada\", \"password\": \"%s\"}"
                                                            .formatted(PASSWORD)))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
            return response.headers().firstValue("Set-Cookie").orElseThrow();
        }
    }
}
