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
 * A caller who changes things and listens, through the HTTP API as the documentation tells it,
 * while the services behind an address come and go. Who gets no answer asks once more.
 */
final class PatientCaller implements AutoCloseable {

    private static final Duration BEFORE_A_RETRY = Duration.ofSeconds(1);
    private static final int MOST_RETRIES = 100;
    private static final int CREATED = 201;
    private static final int NOTHING_FOLLOWS = 204;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final URI api;
    private final String token;
    private int retries;

    PatientCaller(URI service, String token) {
        this.api = service.resolve("/api/v1/");
        this.token = token;
    }

    /** How often something was sent once more. */
    int retries() {
        return retries;
    }

    /** Makes a project, and no second one where the first answer was lost. */
    void makeProject(String name) {
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
            Pause.of(BEFORE_A_RETRY);
            status = status(request);
        }
        if (!status.equals(Optional.of(CREATED))) {
            throw new NoAnswer(new IOException("project %s: %s".formatted(name, status)));
        }
    }

    /** Nothing where no answer came, or one of a service that is on its way. */
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
     * Listens to a run until nothing follows; where a stream ends it comes again with the id of
     * what it heard last.
     *
     * @return the ids of all events, as they came
     */
    List<Long> hearOut(String run) {
        List<Long> heard = new ArrayList<>();
        while (hear(run, heard)) {
            if (++retries > MOST_RETRIES) {
                throw new NoAnswer(new IOException("no stream of run " + run + " ends"));
            }
            Pause.of(BEFORE_A_RETRY);
        }
        return heard;
    }

    /** Whether there may be more to hear. */
    private boolean hear(String run, List<Long> heard) {
        HttpRequest request =
                request("runs/%s/events".formatted(run))
                        .header("Accept", "text/event-stream")
                        .header(
                                "Last-Event-ID",
                                String.valueOf(heard.isEmpty() ? 0 : heard.getLast()))
                        .build();
        try {
            HttpResponse<Stream<String>> stream =
                    http.sendAsync(request, HttpResponse.BodyHandlers.ofLines()).join();
            try (Stream<String> lines = stream.body()) {
                lines.filter(it -> it.startsWith("id:"))
                        .forEach(it -> heard.add(Long.valueOf(it.substring(3).strip())));
            }
            return stream.statusCode() != NOTHING_FOLLOWS;
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
