package dev.equipoise.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestingCertificatesTest {

    @TempDir private Path folder;

    @Test
    void clientTrustsServersOfTheAuthorityAlone() throws Exception {
        TestingCertificates certificates = TestingCertificates.in(folder.resolve("one"));
        TestingCertificates foreign = TestingCertificates.in(folder.resolve("other"));

        HttpsServer server = started(certificates.serving());
        try {
            int port = server.getAddress().getPort();

            assertThat(status(certificates.trusting(), "127.0.0.1", port)).isEqualTo(404);
            assertThat(status(certificates.trusting(), "localhost", port)).isEqualTo(404);
            assertThatThrownBy(() -> status(foreign.trusting(), "127.0.0.1", port))
                    .isInstanceOf(SSLHandshakeException.class);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void secondCallReplacesTheCertificateAndNamesOtherHosts() throws Exception {
        SSLContext earlier = TestingCertificates.in(folder).trusting();
        TestingCertificates renewed = TestingCertificates.in(folder, "service.example", "::1");

        HttpsServer server = started(renewed.serving());
        try {
            int port = server.getAddress().getPort();

            assertThatThrownBy(() -> status(earlier, "127.0.0.1", port))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> status(renewed.trusting(), "127.0.0.1", port))
                    .hasMessageContaining("No subject alternative names matching IP address");
        } finally {
            server.stop(0);
        }
    }

    private static HttpsServer started(SSLContext context) throws IOException {
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.start();
        return server;
    }

    private static int status(SSLContext context, String host, int port) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("https://%s:%d/".formatted(host, port))).build();
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }
}
