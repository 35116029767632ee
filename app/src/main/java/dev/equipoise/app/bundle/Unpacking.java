package dev.equipoise.app.bundle;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads bundles, one at a time and on a thread of its own: a large one takes a second, and requests
 * share as few carriers as there are cores.
 */
@Component
class Unpacking implements AutoCloseable {

    /** Each of which may hold the bytes of the largest. */
    private static final int MOST_WAITING = 4;

    private final JsonMapper json;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(MOST_WAITING),
                    Thread.ofPlatform().name("unpacking").daemon().factory());

    Unpacking(JsonMapper json) {
        this.json = json;
    }

    /**
     * Waits for its turn, and for the bundle.
     *
     * @throws Problem {@code busy} where too many wait already, {@code invalid-bundle}
     */
    ForeignBundle read(byte[] zip) {
        try {
            return thread.submit(() -> ForeignBundle.read(zip, json)).get();
        } catch (RejectedExecutionException | CancellationException tooMany) {
            throw Problem.of(ErrorCode.BUSY, "Too many bundles wait to be read; try again later");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Problem.of(ErrorCode.BUSY, "the service stops");
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException thrown
                    ? thrown
                    : new IllegalStateException(failure.getCause());
        }
    }

    /** Who waits is sent away. */
    @Override
    public void close() {
        for (Runnable waiting : thread.shutdownNow()) {
            if (waiting instanceof Future<?> result) {
                result.cancel(true);
            }
        }
    }
}
