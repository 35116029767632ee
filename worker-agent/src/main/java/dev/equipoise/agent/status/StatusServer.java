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
 * Answers {@code /live}, {@code /ready} and {@code /metrics}, to anybody who reaches it. A request
 * has a thread of its own, which costs little: who asks or reads slowly holds up nobody else, and
 * is cut off after some seconds. There are no more of them than connections.
 */
public final class StatusServer implements AutoCloseable {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    /** The JDK's server knows its bounds by these alone, for all of the process. */
    private static final Map<String, String> BOUNDS =
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

    private record Said(int status, String type, String text) {

        static Said of(int status, String word) {
            return new Said(status, TEXT, word + "\n");
        }
    }

    /**
     * From now on.
     *
     * @param port 0 for a free one
     * @throws IOException where the address cannot be had
     */
    public static StatusServer open(String host, int port, Vitals vitals, AgentMeters meters)
            throws IOException {
        BOUNDS.forEach((name, bound) -> System.setProperty(name, System.getProperty(name, bound)));
        var status = new StatusServer(HttpServer.create(new InetSocketAddress(host, port), 0));
        status.server.setExecutor(status.threads);
        status.at("/", () -> Said.of(NOT_FOUND, "not found"));
        status.at("/live", () -> Said.of(OK, "live"));
        status.at(
                "/ready",
                () -> vitals.isReady() ? Said.of(OK, "ready") : Said.of(UNAVAILABLE, "not ready"));
        status.at("/metrics", () -> new Said(OK, METRICS, meters.text()));
        status.server.start();
        return status;
    }

    /** Where it is. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void at(String path, Supplier<Said> answer) {
        server.createContext(
                path, exchange -> answer(exchange, isAsked(exchange, path) ? answer.get() : null));
    }

    /** The server takes a path for all that begins with it. */
    private static boolean isAsked(HttpExchange exchange, String path) {
        return exchange.getRequestURI().getPath().equals(path);
    }

    private static void answer(HttpExchange exchange, @Nullable Said wanted) throws IOException {
        try (exchange) {
            Said said = wanted == null ? Said.of(NOT_FOUND, "not found") : wanted;
            if (!exchange.getRequestMethod().equals("GET")) {
                said = Said.of(NOT_ALLOWED, "GET alone");
            }
            byte[] body = said.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", said.type());
            exchange.sendResponseHeaders(said.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
