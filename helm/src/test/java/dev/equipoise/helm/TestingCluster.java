package dev.equipoise.helm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Kubernetes API stub with the requests of a Helm rendering: which Secrets exist. */
final class TestingCluster implements AutoCloseable {

    private static final String RESOURCES =
            """
            {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
              {"name": "secrets", "singularName": "secret", "namespaced": true, "kind": "Secret", "verbs": ["get"]}]}
            """;
    private static final String NOT_FOUND =
            """
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}
            """;

    private final HttpServer server;

    private TestingCluster(HttpServer server) {
        this.server = server;
    }

    /** Starts a cluster with the given Secrets, JSON by name, in the namespace of the release. */
    static TestingCluster with(Map<String, String> secrets) {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            String folder = "/api/v1/namespaces/%s/secrets/".formatted(Chart.NAMESPACE);
            server.createContext("/api/v1", exchange -> answer(exchange, 200, RESOURCES));
            server.createContext(folder, exchange -> answer(exchange, 404, NOT_FOUND));
            secrets.forEach((name, secret) ->
                    server.createContext(folder + name, exchange -> answer(exchange, 200, secret)));
            server.start();
            return new TestingCluster(server);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Writes the kubeconfig through which Helm uses this cluster. */
    void activate() {
        String config =
                """
                {apiVersion: v1, kind: Config, current-context: it,
                 contexts: [{name: it, context: {cluster: it, user: it}}],
                 clusters: [{name: it, cluster: {server: "http://%s:%d"}}],
                 users: [{name: it, user: {}}]}
                """
                        .formatted(
                                server.getAddress().getAddress().getHostAddress(),
                                server.getAddress().getPort());
        try {
            Files.writeString(Path.of(System.getenv("KUBECONFIG")), config);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
