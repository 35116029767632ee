package dev.equipoise.agent.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * HTTP server for {@code /live}, {@code /ready} and {@code /metrics}, without authentication. Each
 * request has a virtual thread of its own, so that a slow client delays no other, and is cut off
 * after some seconds. Requests are limited by the number of connections.
 */
public final class StatusServer implements AutoCloseable {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    /** Limits of the JDK's server, which reads only these properties, for the whole process. */
    private static final Map<String, String> LIMITS =
            Map.of(
                    "jdk.httpserver.maxConnections", "32",
                    "sun.net.httpserver.maxReqTime", "5",
                    "sun.net.httpserver.maxRspTime", "5",
                    "sun.net.httpserver.idleInterval", "20");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private StatusServer(HttpServer server) {
        this.server = server;
    }

    private record Response(int status, String type, String text) {

        static Response of(int status, String line) {
            return new Response(status, TEXT, line + "\n");
        }
    }

    /**
     * Starts the server.
     *
     * @param port 0 for a free one
     * @throws IOException when the address cannot be opened
     */
    public static StatusServer open(String host, int port, AgentStatus agent, AgentMeters meters)
            throws IOException {
        LIMITS.forEach((name, limit) -> System.setProperty(name, System.getProperty(name, limit)));
        var status = new StatusServer(HttpServer.create(new InetSocketAddress(host, port), 0));
        status.server.setExecutor(status.threads);
        status.addHandler("/", () -> Response.of(NOT_FOUND, "not found"));
        status.addHandler("/live", () -> Response.of(OK, "live"));
        status.addHandler(
                "/ready",
                () ->
                        agent.isReady()
                                ? Response.of(OK, "ready")
                                : Response.of(UNAVAILABLE, "not ready"));
        status.addHandler("/metrics", () -> new Response(OK, METRICS, meters.text()));
        status.server.start();
        return status;
    }

    /** Returns the address of the server. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void addHandler(String path, Supplier<Response> answer) {
        server.createContext(
                path, exchange -> answer(exchange, matches(exchange, path) ? answer.get() : null));
    }

    /**
     * Returns whether a request is for exactly this path: the JDK's server also matches longer
     * ones.
     */
    private static boolean matches(HttpExchange exchange, String path) {
        return exchange.getRequestURI().getPath().equals(path);
    }

    private static void answer(HttpExchange exchange, @Nullable Response found) throws IOException {
        try (exchange) {
            Response response = found == null ? Response.of(NOT_FOUND, "not found") : found;
            if (!exchange.getRequestMethod().equals("GET")) {
                response = Response.of(NOT_ALLOWED, "only GET is allowed");
            }
            byte[] body = response.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", response.type());
            exchange.sendResponseHeaders(response.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
