package dev.equipoise.agent.dataset;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/** Web server on this host that can misbehave. */
final class TestingMirror implements AutoCloseable {

    /** Answer to a request for the rest of a file. */
    enum Ranges {
        SENDS_THE_REST,
        SENDS_ALL,
        SENDS_FROM_ELSEWHERE
    }

    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();
    private final HttpServer server;
    private volatile Ranges ranges = Ranges.SENDS_THE_REST;
    private volatile int maxBytes = Integer.MAX_VALUE;
    private volatile boolean isSilent;

    TestingMirror() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/data/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:%d/data/".formatted(server.getAddress().getPort()));
    }

    void serve(String name, byte[] content) {
        files.put(name, content);
    }

    void remove(String name) {
        files.remove(name);
    }

    void ranges(Ranges behavior) {
        ranges = behavior;
    }

    /** Interrupts each answer after this many bytes. */
    void breakOffAfter(int bytes) {
        maxBytes = bytes;
    }

    /** Sends the first half of each answer and then nothing. */
    void fallSilent() {
        isSilent = true;
    }

    /** Returns the requests as "name" or "name range". */
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring("/data/".length());
        String range = exchange.getRequestHeaders().getFirst("Range");
        requests.add(range == null ? name : name + " " + range);
        byte[] content = files.get(name);
        if (content == null) {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
        }
        int from = range == null ? 0 : start(range);
        if (from >= content.length && from > 0) {
            exchange.sendResponseHeaders(416, -1);
            exchange.close();
            return;
        }
        send(exchange, content, from);
    }

    private int start(String range) {
        int asked = Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
        return switch (ranges) {
            case SENDS_THE_REST -> asked;
            case SENDS_ALL -> 0;
            case SENDS_FROM_ELSEWHERE -> asked - 1;
        };
    }

    private void send(HttpExchange exchange, byte[] content, int from) throws IOException {
        int count = content.length - from;
        if (from > 0) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Range",
                            "bytes %d-%d/%d".formatted(from, content.length - 1, content.length));
        }
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, count);
        int sent = Math.min(isSilent ? count / 2 : maxBytes, count);
        exchange.getResponseBody().write(content, from, sent);
        exchange.getResponseBody().flush();
        if (!isSilent) {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
