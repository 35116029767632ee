package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.protocol.ContentDigest;
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
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON over HTTP. Every answer that is not what the service sends for a fulfilled request becomes a
 * {@link ServiceFailed}.
 */
final class Requests {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** Timeout of a checkpoint transfer, shorter than the idle timeout of waiting peers. */
    private static final Duration LONG_TIMEOUT = Duration.ofMinutes(5);

    private static final int MAX_PROBLEM_BYTES = 1 << 16;

    private final URI address;
    private final URI api;
    private final Duration timeout;

    /** Accepts unknown and missing fields, since the service may be newer or older. */
    private final JsonMapper json =
            JsonMapper.builder()
                    .disable(
                            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private final HttpClient http;

    /**
     * @param timeout time to wait for an answer
     */
    Requests(ServiceEndpoint service, Duration timeout) {
        this.timeout = timeout;
        this.address = service.address();
        this.api = URI.create(address + "/api/v1/");
        this.http = client(service.trust());
    }

    private static HttpClient client(@Nullable SSLContext trust) {
        HttpClient.Builder client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT);
        return trust == null ? client.build() : client.sslContext(trust).build();
    }

    <T> T get(String path, String bearer, Class<T> answer) throws InterruptedException {
        return read(send(request(path, bearer, timeout).GET()), answer);
    }

    <T> T post(String path, String bearer, Object body, Class<T> answer)
            throws InterruptedException {
        return post(path, bearer, body, timeout, answer);
    }

    <T> T post(String path, String bearer, Object body, Duration timeout, Class<T> answer)
            throws InterruptedException {
        return read(send(request(path, bearer, timeout).POST(encode(body))), answer);
    }

    /** Sends a request that the service may answer without a body. */
    <T> @Nullable T postForOptional(String path, String bearer, Object body, Class<T> answer)
            throws InterruptedException {
        return readOptional(send(request(path, bearer, timeout).POST(encode(body))), answer);
    }

    /** Converts the bytes of an answer while they arrive. */
    @FunctionalInterface
    interface Reader<T> {
        T read(InputStream bytes) throws IOException;
    }

    void put(String path, String bearer, Object body, Duration timeout)
            throws InterruptedException {
        requireEmpty(send(request(path, bearer, timeout).PUT(encode(body))));
    }

    /** Sends bytes while they are read, so that they are not in memory twice. */
    void put(String path, String bearer, Supplier<InputStream> bytes, long count)
            throws InterruptedException {
        HttpRequest.Builder request =
                request(path, bearer, LONG_TIMEOUT)
                        .setHeader("Content-Type", "application/octet-stream")
                        .PUT(
                                BodyPublishers.fromPublisher(
                                        BodyPublishers.ofInputStream(bytes), count));
        requireEmpty(send(request));
    }

    /**
     * File to upload.
     *
     * @param bytes opens its content; each attempt reads it anew
     * @param count size of the content, in bytes
     * @param digest of the content, as {@link ContentDigest} writes it
     */
    record Upload(Supplier<InputStream> bytes, long count, String digest) {}

    /** Sends a file with its digest. */
    void put(String path, String bearer, Upload file) throws InterruptedException {
        HttpRequest.Builder request =
                request(path, bearer, LONG_TIMEOUT)
                        .setHeader("Content-Type", "application/octet-stream")
                        .setHeader(ContentDigest.HEADER, file.digest())
                        .PUT(
                                BodyPublishers.fromPublisher(
                                        BodyPublishers.ofInputStream(file.bytes()), file.count()));
        requireEmpty(send(request));
    }

    /** Converts the bytes of an answer of known size while they arrive. */
    @FunctionalInterface
    interface SizedReader<T> {

        /**
         * Reads an answer.
         *
         * @param count number of the bytes; -1 if it is unknown
         */
        T read(InputStream bytes, long count) throws IOException;
    }

    /**
     * Reads bytes as they arrive.
     *
     * @throws CheckpointReader.Corrupt from the reader; any other failure is a {@link
     *     ServiceFailed}
     */
    <T> T download(String path, String bearer, Reader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        return downloadSized(path, bearer, (bytes, _) -> reader.read(bytes));
    }

    /** Like {@link #download}, for a reader that needs the size. */
    <T> T downloadSized(String path, String bearer, SizedReader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        HttpRequest request =
                request(path, bearer, LONG_TIMEOUT)
                        .setHeader("Accept", "application/octet-stream, application/problem+json")
                        .GET()
                        .build();
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (ServiceAnswer.of(response, "").isBytes()) {
                    return reader.read(
                            body, response.headers().firstValueAsLong("Content-Length").orElse(-1));
                }
                throw failed(ServiceAnswer.of(response, text(body)), null);
            }
        } catch (CheckpointReader.Corrupt e) {
            throw e;
        } catch (IOException e) {
            throw ServiceFailed.unreachable(address, e);
        }
    }

    private static String text(InputStream body) throws IOException {
        return new String(body.readNBytes(MAX_PROBLEM_BYTES), StandardCharsets.UTF_8);
    }

    /** Sends a request that the service may answer late, and without a body. */
    <T> @Nullable T poll(String path, String bearer, Duration wait, Class<T> answer)
            throws InterruptedException {
        return readOptional(
                send(request(path, bearer, wait.plus(timeout)).POST(BodyPublishers.noBody())),
                answer);
    }

    void delete(String path, String bearer, Duration timeout) throws InterruptedException {
        requireEmpty(send(request(path, bearer, timeout).DELETE()));
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

    private ServiceAnswer send(HttpRequest.Builder request) throws InterruptedException {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return ServiceAnswer.of(response, response.body());
        } catch (IOException e) {
            throw ServiceFailed.unreachable(address, e);
        }
    }

    /**
     * Converts a part of an answer.
     *
     * @throws DatabindException when it has another form
     */
    <T> @Nullable T as(Class<T> type, JsonNode answer) {
        return json.treeToValue(answer, type);
    }

    /** Returns the failure that JSON is not from the service. */
    ServiceFailed unreadable(@Nullable DatabindException cause) {
        return failed(ServiceAnswer.FOREIGN_JSON, cause);
    }

    private <T> @Nullable T readOptional(ServiceAnswer answer, Class<T> type) {
        return answer.isEmpty() ? null : read(answer, type);
    }

    private <T> T read(ServiceAnswer answer, Class<T> type) {
        if (!answer.isJson()) {
            throw failed(answer, null);
        }
        try {
            T value = json.readValue(answer.body(), type);
            if (value == null) {
                throw failed(answer, null);
            }
            return value;
        } catch (JacksonException e) {
            throw failed(answer, e);
        }
    }

    private void requireEmpty(ServiceAnswer answer) {
        if (!answer.isEmpty()) {
            throw failed(answer, null);
        }
    }

    private ServiceFailed failed(ServiceAnswer answer, @Nullable Exception cause) {
        return ServiceFailed.of(answer.judge(address.toString()), cause);
    }
}
