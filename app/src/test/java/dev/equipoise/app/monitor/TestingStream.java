package dev.equipoise.app.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a stream of server-sent events as it arrives. Heartbeats keep a stream open for ever: a
 * reader ends at the timeout of its test, which interrupts it.
 */
final class TestingStream implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpResponse<InputStream> answer;
    private final BufferedReader lines;
    private final List<String> comments = new ArrayList<>();

    /**
     * @param id null for events about the stream itself
     */
    record Event(@Nullable Long id, String type, JsonNode data) {

        String state() {
            return data.at("/event/state").stringValue("");
        }
    }

    private TestingStream(HttpRequest.Builder request) throws IOException, InterruptedException {
        request.header("Accept", "text/event-stream");
        this.answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        this.lines =
                new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    /** Opens a stream after an event id, given in the header. */
    static TestingStream open(URI place, String token, @Nullable Long after) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(place).header("Authorization", "Bearer " + token);
        if (after != null) {
            request.header("Last-Event-ID", after.toString());
        }
        return new TestingStream(request);
    }

    /** Opens a stream from the beginning, like a browser. */
    static TestingStream open(URI place, String cookie) throws Exception {
        return new TestingStream(HttpRequest.newBuilder(place).header("Cookie", cookie));
    }

    int status() {
        return answer.statusCode();
    }

    String type() {
        return answer.headers().firstValue("Content-Type").orElse("");
    }

    String retryAfter() {
        return answer.headers().firstValue("Retry-After").orElse("");
    }

    /** Returns the comments so far. */
    List<String> comments() {
        return List.copyOf(comments);
    }

    /** Waits for the next comment with a text and skips what comes before it. */
    void awaitComment(String text) throws IOException {
        int before = comments.size();
        while (comments.subList(before, comments.size()).stream().noneMatch(text::equals)) {
            if (!readLine(new StringBuilder(), new StringBuilder(), new StringBuilder())) {
                throw new IOException("the stream has ended without " + text);
            }
        }
    }

    /** Waits for the next event; empty at the end of the stream. */
    Optional<Event> next() throws IOException {
        var id = new StringBuilder();
        var type = new StringBuilder();
        var data = new StringBuilder();
        while (readLine(id, type, data)) {
            if (type.length() > 0 && data.length() > 0) {
                return Optional.of(
                        new Event(
                                id.length() == 0 ? null : Long.valueOf(id.toString()),
                                type.toString(),
                                JsonMapper.shared().readTree(data.toString())));
            }
        }
        return Optional.empty();
    }

    /** Waits for the next event of a type and skips what comes before it. */
    Event next(String type) throws IOException {
        while (true) {
            Event event = next().orElseThrow(() -> new IOException("there is no more " + type));
            if (event.type().equals(type)) {
                return event;
            }
        }
    }

    /** Returns all events up to the end of the stream. */
    List<Event> rest() throws IOException {
        List<Event> all = new ArrayList<>();
        for (var event = next(); event.isPresent(); event = next()) {
            all.add(event.get());
        }
        return all;
    }

    private boolean readLine(StringBuilder id, StringBuilder type, StringBuilder data)
            throws IOException {
        if (Thread.interrupted()) {
            throw new InterruptedIOException("the test was interrupted while it read the stream");
        }
        String line = lines.readLine();
        if (line == null) {
            return false;
        }
        int colon = line.indexOf(": ");
        String value = line.substring(colon + 2 > line.length() ? line.length() : colon + 2);
        switch (colon < 0 ? "" : line.substring(0, colon)) {
            case "id" -> id.append(value);
            case "event" -> type.append(value);
            case "data" -> data.append(value);
            case "" -> {
                if (line.startsWith(": ")) {
                    comments.add(value);
                }
            }
            default -> {}
        }
        return true;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
