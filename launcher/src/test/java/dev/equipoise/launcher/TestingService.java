package dev.equipoise.launcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/**
 * HTTP server that gives predefined answers, 503 for all other requests, and records the requests.
 */
public final class TestingService implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, Answer> answers;
    private final Map<String, String> headers;
    private final Map<String, Map<String, Answer>> changes = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> details = new CopyOnWriteArrayList<>();

    public record Answer(int status, String body) {}

    /**
     * Starts to serve.
     *
     * @param answers answers by method and path below /api/v1/
     */
    public TestingService(Map<String, Answer> answers) throws IOException {
        this(answers, Map.of());
    }

    /**
     * Starts to serve.
     *
     * @param headers headers of each answer
     */
    public TestingService(Map<String, Answer> answers, Map<String, String> headers)
            throws IOException {
        this(HttpServer.create(anyPort(), 0), answers, headers);
    }

    private TestingService(
            HttpServer server, Map<String, Answer> answers, Map<String, String> headers) {
        this.server = server;
        this.headers = Map.copyOf(headers);
        this.answers = new ConcurrentHashMap<>(answers);
        server.createContext("/api/v1/", this::answer);
        server.start();
    }

    /**
     * Starts to serve over TLS.
     *
     * @param certificate context of a server
     */
    static TestingService encrypted(SSLContext certificate, Map<String, Answer> answers)
            throws IOException {
        HttpsServer server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate));
        return new TestingService(server, answers, Map.of());
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request =
                exchange.getRequestMethod()
                        + " "
                        + exchange.getRequestURI().getPath().substring("/api/v1/".length());
        requests.add(request);
        Answer answer = answers.getOrDefault(request, new Answer(503, "{}"));
        answers.putAll(changes.getOrDefault(request, Map.of()));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            String sent =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            details.add("%s %s %s".formatted(request, exchange.getRequestURI().getQuery(), sent));
            headers.forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** Changes answers once a request has been made. */
    public void changeAfter(String request, Map<String, Answer> changed) {
        changes.put(request, Map.copyOf(changed));
    }

    public URI address() {
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return URI.create("%s://127.0.0.1:%d".formatted(scheme, server.getAddress().getPort()));
    }

    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Returns each request with its decoded query, or null, and its body. */
    public List<String> details() {
        return List.copyOf(details);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
