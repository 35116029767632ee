package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON over HTTP; every answer other than 2xx becomes a {@link ServiceFailed}. */
final class Requests {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** Timeout of a checkpoint transfer, shorter than the idle timeout of waiting peers. */
    private static final Duration LONG_TIMEOUT = Duration.ofMinutes(5);

    private static final int MAX_PROBLEM_BYTES = 1 << 16;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final URI api;
    private final Duration timeout;

    /** Accepts unknown and missing fields, since the service may be newer or older. */
    private final JsonMapper json =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .build();

    /**
     * @param timeout time to wait for an answer
     */
    Requests(URI service, Duration timeout) {
        this.timeout = timeout;
        String address = service.toString();
        this.api = URI.create(address + (address.endsWith("/") ? "" : "/") + "api/v1/");
    }

    <T> T get(String path, String bearer, Class<T> answer) throws InterruptedException {
        return read(send(request(path, bearer, timeout).GET()), answer);
    }

    <T> T post(String path, String bearer, Object body, Class<T> answer)
            throws InterruptedException {
        return read(send(request(path, bearer, timeout).POST(encode(body))), answer);
    }

    void post(String path, String bearer, Object body) throws InterruptedException {
        post(path, bearer, body, timeout);
    }

    void post(String path, String bearer, Object body, Duration timeout)
            throws InterruptedException {
        send(request(path, bearer, timeout).POST(encode(body)));
    }

    /** Sends a request that the service may answer without a body. */
    <T> @Nullable T postForOptional(String path, String bearer, Object body, Class<T> answer)
            throws InterruptedException {
        HttpResponse<String> response = send(request(path, bearer, timeout).POST(encode(body)));
        return response.statusCode() == NO_CONTENT ? null : read(response, answer);
    }

    /** Converts the bytes of an answer while they arrive. */
    @FunctionalInterface
    interface Reader<T> {
        T read(InputStream bytes) throws IOException;
    }

    void put(String path, String bearer, Object body, Duration timeout)
            throws InterruptedException {
        send(request(path, bearer, timeout).PUT(encode(body)));
    }

    /** Sends bytes while they are read, so that they are not in memory twice. */
    void put(String path, String bearer, Supplier<InputStream> bytes, long count)
            throws InterruptedException {
        send(
                request(path, bearer, LONG_TIMEOUT)
                        .setHeader("Content-Type", "application/octet-stream")
                        .PUT(
                                BodyPublishers.fromPublisher(
                                        BodyPublishers.ofInputStream(bytes), count)));
    }

    /**
     * Reads bytes as they arrive.
     *
     * @throws CheckpointReader.Corrupt from the reader; any other failure is a {@link
     *     ServiceFailed}
     */
    <T> T download(String path, String bearer, Reader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        HttpRequest request =
                request(path, bearer, LONG_TIMEOUT)
                        .setHeader("Accept", "application/octet-stream, application/problem+json")
                        .GET()
                        .build();
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() / 100 != 2) {
                    throw refused(response.statusCode(), text(body));
                }
                return reader.read(body);
            }
        } catch (CheckpointReader.Corrupt e) {
            throw e;
        } catch (IOException e) {
            throw ServiceFailed.unreachable(address(), e);
        }
    }

    private static String text(InputStream body) throws IOException {
        return new String(body.readNBytes(MAX_PROBLEM_BYTES), StandardCharsets.UTF_8);
    }

    /** Sends a request that the service may answer late, and without a body. */
    <T> @Nullable T poll(String path, String bearer, Duration wait, Class<T> answer)
            throws InterruptedException {
        HttpResponse<String> response =
                send(request(path, bearer, wait.plus(timeout)).POST(BodyPublishers.noBody()));
        return response.statusCode() == NO_CONTENT ? null : read(response, answer);
    }

    void delete(String path, String bearer, Duration timeout) throws InterruptedException {
        send(request(path, bearer, timeout).DELETE());
    }

    private HttpRequest.Builder request(String path, String bearer, Duration timeout) {
        return HttpRequest.newBuilder(api.resolve(path))
                .timeout(timeout)
                .header("Authorization", "Bearer " + bearer)
                .header("Accept", "application/json, application/problem+json")
                .header("Content-Type", "application/json");
    }

    private HttpRequest.BodyPublisher encode(Object body) {
        return BodyPublishers.ofByteArray(json.writeValueAsBytes(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw ServiceFailed.unreachable(address(), e);
        }
        if (response.statusCode() / 100 != 2) {
            throw refused(response.statusCode(), response.body());
        }
        return response;
    }

    /**
     * Converts a part of an answer.
     *
     * @throws DatabindException when it has another form
     */
    <T> @Nullable T as(Class<T> type, JsonNode answer) {
        return json.treeToValue(answer, type);
    }

    /** Returns the failure that an answer is not from the service. */
    ServiceFailed unreadable(DatabindException cause) {
        return ServiceFailed.unreadable(OK, address(), cause);
    }

    private <T> T read(HttpResponse<String> response, Class<T> type) {
        try {
            return json.readValue(response.body(), type);
        } catch (JacksonException e) {
            throw ServiceFailed.unreadable(response.statusCode(), address(), e);
        }
    }

    private ServiceFailed refused(int status, String body) {
        Problem problem = problem(body);
        return ServiceFailed.refused(
                status, problem.codeOr("without a code"), problem.explanation());
    }

    private Problem problem(String body) {
        try {
            Problem problem = json.readValue(body, Problem.class);
            return problem == null ? Problem.NONE : problem;
        } catch (JacksonException e) {
            return Problem.NONE;
        }
    }

    private String address() {
        return api.getScheme() + "://" + api.getAuthority();
    }
}
