package dev.equipoise.app;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Calls the service with one token. */
public final class TestingClient {

    private static final String API = "/api/v1";

    private final RestTestClient http;
    private final JsonMapper json;
    private final @Nullable String token;
    private final Map<String, String> headers;

    TestingClient(RestTestClient http, JsonMapper json, @Nullable String token) {
        this(http, json, token, Map.of());
    }

    private TestingClient(
            RestTestClient http,
            JsonMapper json,
            @Nullable String token,
            Map<String, String> headers) {
        this.http = http;
        this.json = json;
        this.token = token;
        this.headers = headers;
    }

    /** Returns a client with another token. */
    public TestingClient with(@Nullable String other) {
        return new TestingClient(http, json, other);
    }

    /** Returns a client whose requests have an idempotency key. */
    public TestingClient withKey(String key) {
        return withHeader("Idempotency-Key", key);
    }

    /** Returns a client whose requests have another header. */
    public TestingClient withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new TestingClient(http, json, token, more);
    }

    /** Returns the token, for tests with a client of their own. */
    public String bearer() {
        return Objects.requireNonNull(token, "this client has no token");
    }

    public Answer get(String path) {
        return call(HttpMethod.GET, path, null, null);
    }

    /** Sends a GET to a path outside the API. */
    public Answer root(String path) {
        return at(HttpMethod.GET, path, MediaType.ALL);
    }

    /** Sends a GET to a path outside the API, and returns the text of the response. */
    public String rootText(String path) {
        return String.valueOf(
                authenticated(http.method(HttpMethod.GET).uri(path))
                        .exchange()
                        .returnResult(String.class)
                        .getResponseBody());
    }

    /** Sends a request to a path outside the API. */
    public Answer at(HttpMethod method, String path, MediaType accepted) {
        var result =
                authenticated(http.method(method).uri(path).accept(accepted))
                        .exchange()
                        .returnResult(String.class);
        return new Answer(
                result.getStatus().value(),
                result.getResponseHeaders(),
                isJson(result.getResponseHeaders())
                        ? parsed(result.getResponseBody())
                        : MissingNode.getInstance());
    }

    private <S extends RestTestClient.RequestHeadersSpec<?>> S authenticated(S request) {
        if (token != null) {
            request.header(HttpHeaders.AUTHORIZATION, "Bearer " + token);
        }
        return request;
    }

    /** A response that is not JSON. */
    public record Text(String type, String body) {}

    public Text text(String path) {
        var result =
                request(HttpMethod.GET, path, MediaType.ALL).exchange().returnResult(String.class);
        return new Text(
                String.valueOf(result.getResponseHeaders().getContentType()),
                String.valueOf(result.getResponseBody()));
    }

    /** Returns the bytes of a binary response. */
    public byte[] bytes(String path) {
        var result =
                request(HttpMethod.GET, path, MediaType.ALL).exchange().returnResult(byte[].class);
        if (result.getStatus().isError()) {
            throw new AssertionError("%s: %s".formatted(path, result));
        }
        return Objects.requireNonNull(result.getResponseBody());
    }

    /** Returns a binary response with any status. */
    public ResponseEntity<byte[]> binary(String path) {
        var result =
                request(HttpMethod.GET, path, MediaType.ALL).exchange().returnResult(byte[].class);
        return ResponseEntity.status(result.getStatus())
                .body(Objects.requireNonNullElse(result.getResponseBody(), new byte[0]));
    }

    /** Sends a binary body. */
    public Answer post(String path, byte[] body, MediaType type) {
        return send(HttpMethod.POST, path, body, type);
    }

    /** Sends a binary body. */
    public Answer put(String path, byte[] body) {
        return send(HttpMethod.PUT, path, body, MediaType.APPLICATION_OCTET_STREAM);
    }

    private Answer send(HttpMethod method, String path, byte[] body, MediaType type) {
        var result =
                request(method, path, MediaType.ALL)
                        .contentType(type)
                        .body(body)
                        .exchange()
                        .returnResult(String.class);
        return new Answer(
                result.getStatus().value(),
                result.getResponseHeaders(),
                isJson(result.getResponseHeaders())
                        ? parsed(result.getResponseBody())
                        : MissingNode.getInstance());
    }

    public Answer delete(String path) {
        return call(HttpMethod.DELETE, path, null, null);
    }

    public Answer post(String path) {
        return call(HttpMethod.POST, path, null, null);
    }

    /** Sends a text unchanged, and other bodies as JSON. */
    public Answer post(String path, Object body) {
        return send(HttpMethod.POST, path, body);
    }

    public Answer put(String path, Object body) {
        return send(HttpMethod.PUT, path, body);
    }

    public Answer patch(String path, Object body) {
        return send(HttpMethod.PATCH, path, body);
    }

    private Answer send(HttpMethod method, String path, Object body) {
        return call(
                method,
                path,
                body instanceof String text ? text : json.writeValueAsString(body),
                MediaType.APPLICATION_JSON);
    }

    public Answer call(
            HttpMethod method, String path, @Nullable String body, @Nullable MediaType type) {
        return call(method, path, body, type, MediaType.ALL);
    }

    public Answer call(
            HttpMethod method,
            String path,
            @Nullable String body,
            @Nullable MediaType type,
            MediaType accepted) {
        RestTestClient.RequestBodySpec request = request(method, path, accepted);
        if (type != null) {
            request = request.contentType(type);
        }
        var exchange = body == null ? request.exchange() : request.body(body).exchange();
        var result = exchange.returnResult(String.class);
        return new Answer(
                result.getStatus().value(),
                result.getResponseHeaders(),
                isJson(result.getResponseHeaders())
                        ? parsed(result.getResponseBody())
                        : MissingNode.getInstance());
    }

    private RestTestClient.RequestBodySpec request(
            HttpMethod method, String path, MediaType accepted) {
        RestTestClient.RequestBodySpec request =
                http.method(method)
                        .uri(path.startsWith("/api") ? path : API + path)
                        .accept(accepted);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            request = request.header(header.getKey(), header.getValue());
        }
        return token == null
                ? request
                : request.header(HttpHeaders.AUTHORIZATION, "Bearer " + token);
    }

    private static boolean isJson(HttpHeaders headers) {
        MediaType type = headers.getContentType();
        return type != null
                && (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"));
    }

    private JsonNode parsed(@Nullable String body) {
        return body == null || body.isEmpty() ? MissingNode.getInstance() : json.readTree(body);
    }
}
