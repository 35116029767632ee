package dev.equipoise.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of the HTTP API, with JSON trees as requests and responses. */
public final class ServiceApi implements AutoCloseable {

    private static final Duration TIME_OUT = Duration.ofSeconds(30);
    private static final int PAGE = 500;

    private final HttpClient http;
    private final JsonMapper json = JsonMapper.builder().build();
    private final URI address;
    private final Map<String, String> headers;

    ServiceApi(URI address, String token) {
        this(address, bearing(token), null);
    }

    /**
     * Creates a client.
     *
     * @param address address without a slash at its end
     * @param headers headers of each request
     * @param trust context that trusts the certificate authorities of the service; null for those
     *     of the JDK
     */
    ServiceApi(URI address, Map<String, String> headers, @Nullable SSLContext trust) {
        this.http = client(trust);
        this.address = address;
        this.headers = Map.copyOf(headers);
    }

    private static HttpClient client(@Nullable SSLContext trust) {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
        return trust == null ? client.build() : client.sslContext(trust).build();
    }

    /** Returns the header of a request with a token. */
    static Map<String, String> bearing(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }

    public URI address() {
        return address;
    }

    public JsonNode get(String path) {
        return send(request(path).GET().build());
    }

    /** Returns the JSON of a resource that is text unless JSON is asked for. */
    public JsonNode getJson(String path) {
        return send(request(path).header("Accept", "application/json").GET().build());
    }

    /** Returns a response that is not JSON, unchanged. */
    public String text(String path) {
        return respond(request(path).GET().build()).body();
    }

    /**
     * Copies a file, and then checks the SHA-256 digest of the copy.
     *
     * @throws IOException if the copy cannot be written, or the response ends early
     * @throws LabFailure if the copy does not have the digest in the header {@code Content-Digest}
     */
    public void download(String path, OutputStream out) throws IOException {
        HttpRequest request = request(path).GET().build();
        HttpResponse<InputStream> response =
                sent(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() >= 300) {
                String problem = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                throw failure(request, response.statusCode(), problem);
            }
            MessageDigest sha256 = sha256();
            new DigestInputStream(body, sha256).transferTo(out);
            requireDigest(response, sha256.digest());
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    /** Compares a digest with that in the header, whose form is that of RFC 9530. */
    private static void requireDigest(HttpResponse<?> response, byte[] sha256) {
        String received = "sha-256=:%s:".formatted(Base64.getEncoder().encodeToString(sha256));
        String stated = response.headers().firstValue("Content-Digest").orElse("none").strip();
        if (!stated.equals(received)) {
            throw new LabFailure(
                    "the file of %s is damaged: its digest is %s, and the service states %s; repeat"
                                    .formatted(response.uri().getPath(), received, stated)
                            + " the command");
        }
    }

    /**
     * Items of a list.
     *
     * @param isCut whether the service has more of them
     */
    public record Listing(List<JsonNode> items, boolean isCut) {}

    /**
     * Reads as many pages of a list as the items need.
     *
     * @param path path of the list, with its filters as a query
     * @param most most items to return; at least 1
     */
    public Listing list(String path, int most) {
        List<JsonNode> items = new ArrayList<>();
        String cursor = "";
        do {
            String size = "limit=" + Math.min(PAGE, most - items.size());
            JsonNode page = get(path + (path.contains("?") ? "&" : "?") + size + cursor);
            page.path("items").valueStream().forEach(items::add);
            JsonNode next = page.path("next");
            cursor = next.isString() ? "&cursor=" + encoded(next.asString()) : "";
        } while (!cursor.isEmpty() && items.size() < most);
        return new Listing(items, !cursor.isEmpty());
    }

    /** Encodes a text for a path or a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public JsonNode post(String path, Object body) {
        return post(path, document(body));
    }

    /** A request body as the user wrote it. */
    public record Document(String type, String text) {}

    public JsonNode post(String path, Document document) {
        return parsed(respond(with("POST", path, document)));
    }

    public JsonNode put(String path, Object body) {
        return parsed(respond(with("PUT", path, document(body))));
    }

    public JsonNode patch(String path, Object body) {
        return parsed(respond(with("PATCH", path, document(body))));
    }

    /** Returns the response to a POST with its headers. */
    public HttpResponse<String> postForHeaders(String path, Object body) {
        return respond(with("POST", path, document(body)));
    }

    /** Deletes a resource; the response has no body. */
    public void delete(String path) {
        respond(request(path).DELETE().build());
    }

    private Document document(Object body) {
        return new Document("application/json", json.writeValueAsString(body));
    }

    private HttpRequest with(String method, String path, Document document) {
        return request(path)
                .header("Content-Type", document.type())
                .method(method, HttpRequest.BodyPublishers.ofString(document.text()))
                .build();
    }

    /** Returns the id of the project of a name; creates the project if there is none. */
    String project(String name) {
        return get("projects?limit=500")
                .path("items")
                .valueStream()
                .filter(project -> project.path("name").asString().equals(name))
                .findFirst()
                .orElseGet(() -> post("projects", Map.of("name", name)))
                .path("id")
                .asString();
    }

    /** Returns whether a service answers and is healthy. */
    static boolean isUp(ServiceEndpoint service) {
        HttpRequest request =
                HttpRequest.newBuilder(below(service.address(), "/actuator/health"))
                        .timeout(Duration.ofSeconds(2))
                        .build();
        try (HttpClient http = client(service.trust())) {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(below(address, "/api/v1/" + path)).timeout(TIME_OUT);
        headers.forEach(request::header);
        return request;
    }

    /**
     * Returns an address of a service that may be below a path itself.
     *
     * @param service address without a slash at its end
     * @param path path, with its query, that begins with a slash
     */
    static URI below(URI service, String path) {
        return URI.create(service + path);
    }

    private JsonNode send(HttpRequest request) {
        return parsed(respond(request));
    }

    private JsonNode parsed(HttpResponse<String> response) {
        try {
            return json.readTree(response.body());
        } catch (JacksonException failure) {
            throw new ServiceUnreachable(address, failure);
        }
    }

    private HttpResponse<String> respond(HttpRequest request) {
        HttpResponse<String> response = sent(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw failure(request, response.statusCode(), response.body());
        }
        return response;
    }

    private LabFailure failure(HttpRequest request, int status, String problem) {
        try {
            RequestRejected rejected =
                    RequestRejected.of(
                            request.method() + " " + request.uri().getPath(),
                            json.readTree(problem));
            return status < 500 ? rejected : new ServiceUnreachable(address, rejected);
        } catch (JacksonException failure) {
            return new ServiceUnreachable(address, failure);
        }
    }

    private <T> HttpResponse<T> sent(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException failure) {
            throw new ServiceUnreachable(address, failure);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static LabFailure interrupted(InterruptedException interruption) {
        Thread.currentThread().interrupt();
        return new LabFailure("interrupted", interruption);
    }

    @Override
    public void close() {
        http.close();
    }
}
