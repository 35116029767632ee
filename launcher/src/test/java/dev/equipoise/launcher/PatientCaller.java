package dev.equipoise.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * A client that changes things and reads event streams as the documentation describes it, and
 * retries while the services behind an address restart.
 */
final class PatientCaller implements AutoCloseable {

    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);
    private static final int MAX_RETRIES = 100;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final URI api;
    private final String token;
    private int retries;

    PatientCaller(URI service, String token) {
        this.api = service.resolve("/api/v1/");
        this.token = token;
    }

    /** Returns the number of retries. */
    int retries() {
        return retries;
    }

    /** Creates a project; an idempotency key prevents a second one if the first answer is lost. */
    void createProject(String name) {
        HttpRequest request =
                request("projects")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", UUID.randomUUID().toString())
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"name\": \"%s\"}".formatted(name)))
                        .build();
        Optional<Integer> status = status(request);
        if (status.isEmpty()) {
            retries++;
            Pause.of(RETRY_PAUSE);
            status = status(request);
        }
        if (!status.equals(Optional.of(CREATED))) {
            throw new ServiceUnreachable(
                    api, new IOException("project %s: %s".formatted(name, status)));
        }
    }

    /** Returns the status, or nothing if there is no answer or a server error. */
    private Optional<Integer> status(HttpRequest request) {
        try {
            int status =
                    http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                            .join()
                            .statusCode();
            return status < 500 ? Optional.of(status) : Optional.empty();
        } catch (CompletionException none) {
            return Optional.empty();
        }
    }

    /**
     * Reads the events of a run until its stream is complete; resumes after the last event it read.
     *
     * @return the ids of all events, in order
     */
    List<Long> readEvents(String run) {
        List<Long> ids = new ArrayList<>();
        while (readStream(run, ids)) {
            if (++retries > MAX_RETRIES) {
                throw new ServiceUnreachable(
                        api, new IOException("the event stream of run " + run + " does not end"));
            }
            Pause.of(RETRY_PAUSE);
        }
        return ids;
    }

    /** Returns whether more events may follow. */
    private boolean readStream(String run, List<Long> ids) {
        HttpRequest request =
                request("runs/%s/events".formatted(run))
                        .header("Accept", "text/event-stream")
                        .header("Last-Event-ID", String.valueOf(ids.isEmpty() ? 0 : ids.getLast()))
                        .build();
        try {
            HttpResponse<Stream<String>> stream =
                    http.sendAsync(request, HttpResponse.BodyHandlers.ofLines()).join();
            try (Stream<String> lines = stream.body()) {
                lines.filter(it -> it.startsWith("id:"))
                        .forEach(it -> ids.add(Long.valueOf(it.substring(3).strip())));
            }
            return stream.statusCode() != NO_CONTENT;
        } catch (CompletionException | UncheckedIOException cut) {
            return true;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(api.resolve(path)).header("Authorization", "Bearer " + token);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
