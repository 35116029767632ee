package dev.equipoise.launcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * HTTP server that gives predefined answers, 503 for all other requests, and records the requests.
 */
final class TestingService implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, Answer> answers;
    private final Map<String, Map<String, Answer>> changes = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    record Answer(int status, String body) {}

    /**
     * Starts to serve.
     *
     * @param answers answers by method and path below /api/v1/
     */
    TestingService(Map<String, Answer> answers) throws IOException {
        this.answers = new ConcurrentHashMap<>(answers);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/", this::answer);
        server.start();
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
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Changes answers once a request has been made. */
    void changeAfter(String request, Map<String, Answer> changed) {
        changes.put(request, Map.copyOf(changed));
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
