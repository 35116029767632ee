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
 * Fetches one file over HTTP into a part file, which stays where a transfer breaks off, so that the
 * next attempt goes on from there. Bounded in size and time. One thread uses it.
 */
final class Download {
    private static final Logger LOG = LoggerFactory.getLogger(Download.class);

    private static final int OK = 200;
    private static final int PARTIAL_CONTENT = 206;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final int PERCENT = 100;

    private final HttpClient http;
    private final Limits limits;
    private final URI address;
    private final Path part;

    /** Of the whole file; -1 until the server has told it. */
    private volatile long total = -1;

    /**
     * What a transfer may cost.
     *
     * @param look how often the transfer is looked at, and its progress told
     * @param silentLooks how often in a row nothing may have come
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

    /** Goes on from what is there, and tries again as long as an attempt brings something. */
    void run() throws IOException {
        for (int attempt = 1; ; attempt++) {
            long before = have();
            try {
                transfer();
                return;
            } catch (IOException e) {
                if (have() == before
                        || attempt == limits.attempts()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LOG.info("dataset fetch broke off: {}: {}; tries again", address, e.toString());
            }
        }
    }

    private long have() throws IOException {
        return Files.exists(part) ? Files.size(part) : 0;
    }

    private void transfer() throws IOException {
        long have = have();
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (have > 0) {
            request.header("Range", "bytes=%d-".formatted(have));
            LOG.info("dataset fetch goes on: {} from byte {}", address, have);
        }
        var response = http.sendAsync(request.build(), info -> subscriber(info, have));
        int status = await(response).statusCode();
        if (status == RANGE_NOT_SATISFIABLE) {
            Files.deleteIfExists(part);
        }
        if (status != OK && !(status == PARTIAL_CONTENT && have > 0)) {
            throw new IOException("HTTP status " + status);
        }
        tell();
    }

    private BodySubscriber<Path> subscriber(ResponseInfo info, long have) {
        if (info.statusCode() == OK) {
            total = length(info);
            return toFile(limits.bytes(), StandardOpenOption.TRUNCATE_EXISTING);
        }
        if (info.statusCode() != PARTIAL_CONTENT) {
            return BodySubscribers.replacing(part);
        }
        String range = info.headers().firstValue("Content-Range").orElse("nothing");
        if (!range.startsWith("bytes %d-".formatted(have))) {
            throw new IllegalStateException(
                    "asked for bytes from %d, but was sent %s".formatted(have, range));
        }
        total = length(info) < 0 ? -1 : have + length(info);
        return toFile(Math.max(0, limits.bytes() - have), StandardOpenOption.APPEND);
    }

    private static long length(ResponseInfo info) {
        return info.headers().firstValueAsLong("Content-Length").orElse(-1);
    }

    private BodySubscriber<Path> toFile(long most, StandardOpenOption option) {
        return BodySubscribers.limiting(
                BodySubscribers.ofFile(
                        part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, option),
                most);
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
        long before = have();
        int silent = 0;
        for (int look = 0; look < limits.looks(); look++) {
            try {
                return response.get(limits.look().toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                silent = have() == before ? silent + 1 : 0;
                before = have();
                tell();
            }
            if (silent == limits.silentLooks()) {
                throw new IOException(
                        "nothing came for " + limits.look().multipliedBy(limits.silentLooks()));
            }
        }
        throw new IOException("not here within " + limits.look().multipliedBy(limits.looks()));
    }

    private void tell() throws IOException {
        if (total > 0) {
            LOG.info("dataset fetch: {} {} %", address, PERCENT * have() / total);
        } else {
            LOG.info("dataset fetch: {} {} bytes", address, have());
        }
    }
}
