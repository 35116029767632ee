package dev.equipoise.app;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.equipoise.testing.TestingCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.http.HttpHeaders;

/** Tests the settings of docs/tls.md by which the service speaks TLS. */
@RunningService
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsIT {

    private static final String PUBLIC = "/api/v1/version";

    @TempDir private static Path folder;

    private final JdbcConnectionDetails server;
    private @Nullable TestingInstance started;
    private @Nullable TestingCertificates served;

    TlsIT(@Autowired JdbcConnectionDetails server) {
        this.server = server;
    }

    @BeforeAll
    void start() {
        TestingCertificates certificates = TestingCertificates.in(folder.resolve("first"));
        served = certificates;
        started =
                TestingInstance.alone(
                        server,
                        folder,
                        Map.of(
                                "server.ssl.bundle",
                                "service",
                                "spring.ssl.bundle.pem.service.keystore.certificate",
                                "file:" + certificates.certificate(),
                                "spring.ssl.bundle.pem.service.keystore.private-key",
                                "file:" + certificates.key(),
                                "spring.ssl.bundle.pem.service.reload-on-update",
                                true,
                                "spring.ssl.bundle.watch.file.quiet-period",
                                "100ms",
                                "management.server.port",
                                0));
    }

    @AfterAll
    void stop() {
        instance().close();
    }

    private TestingInstance instance() {
        return Objects.requireNonNull(started);
    }

    private static HttpClient trusting(TestingCertificates certificates) {
        return HttpClient.newBuilder().sslContext(certificates.trusting()).build();
    }

    private HttpClient client() {
        return trusting(Objects.requireNonNull(served));
    }

    private static HttpResponse<String> get(HttpClient client, String address)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a POST of the administrator. */
    private HttpResponse<String> post(HttpClient client, String path, String body)
            throws IOException, InterruptedException {
        String token = Files.readString(folder.resolve("token")).strip();
        return client.send(
                HttpRequest.newBuilder(URI.create(instance().address() + path))
                        .header(HttpHeaders.AUTHORIZATION, "Bearer " + token)
                        .header(HttpHeaders.CONTENT_TYPE, "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void plainHttpIsRejected() throws Exception {
        String address = instance().address() + PUBLIC;
        assertThat(address).startsWith("https://");
        try (HttpClient client = client();
                HttpClient other = HttpClient.newHttpClient()) {
            HttpResponse<String> encrypted = get(client, address);

            assertThat(encrypted.statusCode()).isEqualTo(200);
            assertThat(encrypted.headers().firstValue("Strict-Transport-Security")).isPresent();
            assertThatThrownBy(() -> get(other, address)).isInstanceOf(SSLHandshakeException.class);
            assertThat(get(other, address.replace("https:", "http:")).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void sessionCookieIsSecure() throws Exception {
        String credentials = "{\"name\": \"ada\", \"password\": \"long enough for TLS\"}";
        try (HttpClient client = client()) {
            assertThat(post(client, "/api/v1/users", credentials).statusCode()).isEqualTo(201);

            HttpResponse<String> signedIn = post(client, "/api/v1/session", credentials);

            assertThat(signedIn.headers().firstValue(HttpHeaders.SET_COOKIE))
                    .hasValueSatisfying(it -> assertThat(it).contains("; Secure"));
        }
    }

    @Test
    void managementPortIsPlainAndTellsWhenTheCertificateExpires() {
        TestingClient prober = instance().management();

        assertThat(prober.root("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(prober.rootText("/actuator/prometheus")).contains("\nssl_chain_expiry_seconds{");
    }

    /** The new certificate is of another authority, which shows that it is served. */
    @Test
    void replacedFilesAreServedWithoutARestart() throws Exception {
        TestingCertificates before = Objects.requireNonNull(served);
        TestingCertificates renewed = TestingCertificates.in(folder.resolve("renewed"));
        try (HttpClient client = trusting(renewed)) {
            Files.copy(renewed.certificate(), before.certificate(), REPLACE_EXISTING);
            Files.copy(renewed.key(), before.key(), REPLACE_EXISTING);

            await().ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> get(client, instance().address() + PUBLIC).statusCode() == 200);
        }
        served = renewed;
    }
}
