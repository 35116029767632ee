package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches one file over HTTP into a part file, which an interrupted transfer leaves for the next
 * attempt to resume. Bounded in bytes and time. One thread uses it.
 */
final class Download {
    private static final Logger log = LoggerFactory.getLogger(Download.class);

    private static final int OK = 200;
    private static final int PARTIAL_CONTENT = 206;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final int PERCENT = 100;

    private final HttpClient http;
    private final Limits limits;
    private final URI address;
    private final Path part;

    /** Bytes of the whole file; -1 until the server has told it. */
    private volatile long total = -1;

    /**
     * Limits of a transfer.
     *
     * @param bytes of the file
     * @param look interval of progress checks
     * @param silentLooks checks in a row without a new byte after which an attempt fails
     * @param looks checks after which an attempt fails
     * @param attempts in all
     */
    record Limits(long bytes, Duration look, int silentLooks, int looks, int attempts) {

        static final Limits DEFAULT = new Limits(512L << 20, Duration.ofSeconds(5), 12, 1440, 5);
    }

    Download(HttpClient http, Limits limits, URI address, Path part) {
        this.http = http;
        this.limits = limits;
        this.address = address;
        this.part = part;
    }

    /** Resumes the part file, and tries again as long as an attempt makes progress. */
    void run() throws IOException {
        for (int attempt = 1; ; attempt++) {
            long before = received();
            try {
                transfer();
                return;
            } catch (IOException e) {
                if (received() == before
                        || attempt == limits.attempts()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                log.info("data set fetch of {} failed: {}; trying again", address, e.toString());
            }
        }
    }

    private long received() throws IOException {
        return Files.exists(part) ? Files.size(part) : 0;
    }

    private void transfer() throws IOException {
        long received = received();
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (received > 0) {
            request.header("Range", "bytes=%d-".formatted(received));
            log.info("data set fetch of {} resumes at byte {}", address, received);
        }
        var response = http.sendAsync(request.build(), info -> subscriber(info, received));
        int status = await(response).statusCode();
        if (status == RANGE_NOT_SATISFIABLE) {
            Files.deleteIfExists(part);
        }
        if (status != OK && !(status == PARTIAL_CONTENT && received > 0)) {
            throw new IOException("HTTP status " + status);
        }
        logProgress();
    }

    private BodySubscriber<Path> subscriber(ResponseInfo info, long received) {
        if (info.statusCode() == OK) {
            total = length(info);
            return toFile(limits.bytes(), StandardOpenOption.TRUNCATE_EXISTING);
        }
        if (info.statusCode() != PARTIAL_CONTENT) {
            return BodySubscribers.replacing(part);
        }
        String range = info.headers().firstValue("Content-Range").orElse("nothing");
        if (!range.startsWith("bytes %d-".formatted(received))) {
            throw new IllegalStateException(
                    "asked for bytes from %d, but was sent %s".formatted(received, range));
        }
        total = length(info) < 0 ? -1 : received + length(info);
        return toFile(Math.max(0, limits.bytes() - received), StandardOpenOption.APPEND);
    }

    private static long length(ResponseInfo info) {
        return info.headers().firstValueAsLong("Content-Length").orElse(-1);
    }

    private BodySubscriber<Path> toFile(long maxBytes, StandardOpenOption option) {
        return BodySubscribers.limiting(
                BodySubscribers.ofFile(
                        part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, option),
                maxBytes);
    }

    private HttpResponse<Path> await(CompletableFuture<HttpResponse<Path>> response)
            throws IOException {
        try {
            return watch(response);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while fetching");
        } finally {
            response.cancel(true);
        }
    }

    private HttpResponse<Path> watch(CompletableFuture<HttpResponse<Path>> response)
            throws IOException, ExecutionException, InterruptedException {
        long before = received();
        int silentLooks = 0;
        for (int look = 0; look < limits.looks(); look++) {
            try {
                return response.get(limits.look().toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                silentLooks = received() == before ? silentLooks + 1 : 0;
                before = received();
                logProgress();
            }
            if (silentLooks == limits.silentLooks()) {
                throw new IOException(
                        "received nothing for " + limits.look().multipliedBy(limits.silentLooks()));
            }
        }
        throw new IOException("not complete within " + limits.look().multipliedBy(limits.looks()));
    }

    private void logProgress() throws IOException {
        if (total > 0) {
            log.info("data set fetch of {}: {} %", address, PERCENT * received() / total);
        } else {
            log.info("data set fetch of {}: {} bytes", address, received());
        }
    }
}
