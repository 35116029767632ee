package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.Publication.Mirror;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Gets files over HTTP, bounded in size and, other than by the client's own means, in time. */
final class MirrorClient {
    private static final long MAX_BYTES = 256L << 20;
    private static final long MAX_MINUTES = 10;

    private final HttpClient http;

    MirrorClient(HttpClient http) {
        this.http = http;
    }

    byte[] get(Mirror mirror, Path name) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(mirror.folder().resolve(name.toString())).build();
        HttpResponse<byte[]> response = await(http.sendAsync(request, limited()));
        if (response.statusCode() != 200) {
            throw new IOException(name + ": HTTP status " + response.statusCode());
        }
        return response.body();
    }

    private static HttpResponse.BodyHandler<byte[]> limited() {
        return BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES);
    }

    private static <T> T await(CompletableFuture<T> response) throws IOException {
        try {
            return response.get(MAX_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within %d minutes".formatted(MAX_MINUTES), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while fetching");
        } finally {
            response.cancel(true);
        }
    }
}
