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

class TestingCertificatesIT {

    @TempDir private Path folder;

    /** The second certificate replaces the first one, of another authority and for other hosts. */
    @Test
    void clientTrustsTheServersOfItsAuthorityForTheirNames() throws Exception {
        TestingCertificates first = TestingCertificates.in(folder);
        SSLContext client = first.trusting();
        HttpsServer server = started(first.serving());
        TestingCertificates second = TestingCertificates.in(folder, "service.example", "::1");
        HttpsServer renewed = started(second.serving());
        try {
            int port = server.getAddress().getPort();
            int other = renewed.getAddress().getPort();

            assertThat(status(client, "127.0.0.1", port)).isEqualTo(404);
            assertThat(status(client, "localhost", port)).isEqualTo(404);
            assertThatThrownBy(() -> status(client, "127.0.0.1", other))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> status(second.trusting(), "127.0.0.1", other))
                    .hasMessageContaining("No subject alternative names matching IP address");
        } finally {
            server.stop(0);
            renewed.stop(0);
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
