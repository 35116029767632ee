package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of the HTTP API for one caller. All clients share their connections. Thread-safe. */
final class Api {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build();

    private final URI address;
    private final String token;

    Api(URI address, String token) {
        this.address = address;
        this.token = token;
    }

    /** Returns the caller's token. */
    String token() {
        return token;
    }

    /** Returns a client of the same service with another token. */
    Api as(String other) {
        return new Api(address, other);
    }

    /** Returns the status of a request without a token; 0 without an answer. */
    static int status(URI address) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(2)).build();
        try {
            return HTTP.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException _) {
            return 0;
        }
    }

    JsonNode get(String path) throws InterruptedException {
        return JSON.readTree(text(path));
    }

    /** Returns an answer as text, so that the time does not include parsing. */
    String text(String path) throws InterruptedException {
        return send(request(path).GET().build()).body();
    }

    JsonNode post(String path, Object body) throws InterruptedException {
        return JSON.readTree(send(request(path).POST(written(body)).build()).body());
    }

    <T> T post(String path, Object body, Class<T> answer) throws InterruptedException {
        return JSON.readValue(send(request(path).POST(written(body)).build()).body(), answer);
    }

    /** Posts a body and returns the status of the answer. */
    int postForStatus(String path, Object body) throws InterruptedException {
        return exchange(request(path).POST(written(body)).build()).statusCode();
    }

    /** Polls a resource that may answer late and without a body. */
    <T> Optional<T> poll(String path, Class<T> answer) throws InterruptedException {
        String body = send(request(path).POST(BodyPublishers.noBody()).build()).body();
        return body.isEmpty() ? Optional.empty() : Optional.of(JSON.readValue(body, answer));
    }

    void delete(String path) throws InterruptedException {
        send(request(path).DELETE().build());
    }

    /** Streams the events of a run from its beginning until the stream is closed. */
    InputStream events(String run) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve("/api/v1/runs/" + run + "/events"))
                        .header("Authorization", "Bearer " + token)
                        .header("Accept", "text/event-stream")
                        .build();
        try {
            HttpResponse<InputStream> response = HTTP.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new BenchFailed(
                        "the events of run %s were answered with %d"
                                .formatted(run, response.statusCode()));
            }
            return response.body();
        } catch (IOException e) {
            throw new BenchFailed("cannot read the events of run %s: %s".formatted(run, e), e);
        }
    }

    /** Creates a project and returns its id. */
    String project(String name) throws InterruptedException {
        return post("projects", Map.of("name", name)).path("id").asString();
    }

    String joinToken(String name) throws InterruptedException {
        return post("join-tokens", Map.of("name", name)).path("token").asString();
    }

    /** Creates an experiment and returns its id. */
    String define(String project, Object definition) throws InterruptedException {
        return post("projects/%s/experiments".formatted(project), definition).path("id").asString();
    }

    /** Submits the runs of an experiment and returns their ids. */
    List<String> submit(String experiment) throws InterruptedException {
        return post("experiments/%s/runs".formatted(experiment), Map.of())
                .path("items")
                .valueStream()
                .map(run -> run.path("id").asString())
                .toList();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve("/api/v1/" + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
    }

    private static BodyPublisher written(Object body) {
        return BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
    }

    private static HttpResponse<String> send(HttpRequest request) throws InterruptedException {
        HttpResponse<String> response = exchange(request);
        if (response.statusCode() / 100 != 2) {
            throw new BenchFailed(
                    "%s %s was answered with %d: %s"
                            .formatted(
                                    request.method(),
                                    request.uri().getPath(),
                                    response.statusCode(),
                                    response.body()));
        }
        return response;
    }

    private static HttpResponse<String> exchange(HttpRequest request) throws InterruptedException {
        try {
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new BenchFailed(
                    "%s %s: %s".formatted(request.method(), request.uri().getPath(), e), e);
        }
    }
}
