package dev.equipoise.agent.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** HTTP server on loopback that answers as a test decides, and records the requests. */
public final class TestingService implements AutoCloseable {

    /** Request; of a body that is no text each character is a byte. */
    public record Request(String method, String path, String bearer, String body) {}

    /**
     * Answer; a negative status cuts the connection instead.
     *
     * @param contentType empty for none
     */
    public record Answer(int status, String contentType, String body, Charset charset) {

        public Answer(int status, String contentType, String body) {
            this(status, contentType, body, StandardCharsets.UTF_8);
        }

        /** Makes an answer that is no text: each character is a byte. */
        public static Answer bytes(String body) {
            return new Answer(200, "application/octet-stream", body, StandardCharsets.ISO_8859_1);
        }

        public static final Answer NO_CONTENT = new Answer(204, "", "");
        public static final Answer LOST = new Answer(-1, "", "");

        /** Answers of a proxy, a captive portal or another server in place of the service. */
        public static final List<Answer> FROM_PROXIES =
                List.of(
                        new Answer(404, "text/plain; charset=utf-8", "404 page not found\n"),
                        new Answer(401, "text/html", "<html>401 Authorization Required</html>"),
                        new Answer(403, "text/html", "<html>403 Forbidden</html>"),
                        new Answer(413, "text/html", "<html>413 Entity Too Large</html>"),
                        new Answer(200, "text/html", "<html>Please sign in</html>"),
                        new Answer(400, "text/html", "<html>400 Bad Request</html>"),
                        new Answer(409, "application/json", "{\"code\":\"stale-generation\"}"),
                        new Answer(404, "application/problem+json", "{\"code\":\"no-such-route\"}"),
                        new Answer(410, "application/problem+json", "<html>"),
                        new Answer(302, "text/html", "<html>302 Found</html>"),
                        new Answer(502, "text/html", "<html>502 Bad Gateway</html>"),
                        new Answer(503, "", ""));

        public static Answer ok(String body) {
            return new Answer(200, "application/json", body);
        }

        public static Answer problem(int status, String code, String detail) {
            return new Answer(
                    status,
                    "application/problem+json",
                    """
                    {"type":"about:blank","status":%d,"code":"%s","detail":"%s"}\
                    """
                            .formatted(status, code, detail));
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Function<Request, Answer> behavior;

    private TestingService(HttpServer server, Function<Request, Answer> behavior) {
        this.server = server;
        this.behavior = behavior;
    }

    /** Starts on a free port. */
    public static TestingService answering(Function<Request, Answer> behavior) {
        try {
            return started(HttpServer.create(anyPort(), 0), behavior);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts on a free port, for requests over TLS.
     *
     * @param certificate context of a server
     */
    static TestingService encrypted(SSLContext certificate, Function<Request, Answer> behavior) {
        try {
            HttpsServer server = HttpsServer.create(anyPort(), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(certificate));
            return started(server, behavior);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static TestingService started(HttpServer server, Function<Request, Answer> behavior) {
        var service = new TestingService(server, behavior);
        server.setExecutor(service.threads);
        server.createContext("/", service::handle);
        server.start();
        return service;
    }

    public URI url() {
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return URI.create("%s://127.0.0.1:%d".formatted(scheme, server.getAddress().getPort()));
    }

    public ServiceEndpoint endpoint() {
        return ServiceEndpoint.of(url());
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request =
                    new Request(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            exchange.getRequestHeaders()
                                    .getFirst("Authorization")
                                    .replaceFirst("Bearer ", ""),
                            new String(
                                    exchange.getRequestBody().readAllBytes(), charset(exchange)));
            requests.add(request);
            answer(exchange, behavior.apply(request));
        }
    }

    private static Charset charset(HttpExchange exchange) {
        return "application/octet-stream"
                        .equals(exchange.getRequestHeaders().getFirst("Content-Type"))
                ? StandardCharsets.ISO_8859_1
                : StandardCharsets.UTF_8;
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        if (answer.status() < 0) {
            throw new IOException("the test drops this answer");
        }
        if (!answer.contentType().isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        }
        byte[] body = answer.body().getBytes(answer.charset());
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
