package dev.equipoise.launcher;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of the HTTP API, with JSON trees as requests and responses. */
final class ServiceApi implements AutoCloseable {

    private static final Duration TIME_OUT = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final JsonMapper json = JsonMapper.builder().build();
    private final URI address;
    private final String token;

    ServiceApi(URI address, String token) {
        this.address = address;
        this.token = token;
    }

    JsonNode get(String path) {
        return send(request(path).GET().build());
    }

    /** Returns a response that is not JSON, unchanged. */
    String text(String path) {
        return body(request(path).GET().build());
    }

    JsonNode post(String path, Object body) {
        return post(path, new Document("application/json", json.writeValueAsString(body)));
    }

    /** A request body as the user wrote it. */
    record Document(String type, String text) {}

    JsonNode post(String path, Document document) {
        return send(
                request(path)
                        .header("Content-Type", document.type())
                        .POST(HttpRequest.BodyPublishers.ofString(document.text()))
                        .build());
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
    static boolean isUp(URI address) {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve("/actuator/health"))
                        .timeout(Duration.ofSeconds(2))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve("/api/v1/" + path))
                .timeout(TIME_OUT)
                .header("Authorization", "Bearer " + token);
    }

    private JsonNode send(HttpRequest request) {
        String body = body(request);
        try {
            return json.readTree(body);
        } catch (JacksonException failure) {
            throw new ServiceUnreachable(address, failure);
        }
    }

    private String body(HttpRequest request) {
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() < 400) {
                return response.body();
            }
            RequestRejected rejected =
                    RequestRejected.of(
                            request.method() + " " + request.uri().getPath(),
                            json.readTree(response.body()));
            throw response.statusCode() < 500
                    ? rejected
                    : new ServiceUnreachable(address, rejected);
        } catch (IOException | JacksonException failure) {
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
