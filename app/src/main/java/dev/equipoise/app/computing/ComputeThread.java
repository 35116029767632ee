package dev.equipoise.app.computing;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs computations that take seconds on one platform thread, one after another. Requests and
 * scheduling passes share one carrier thread a core: a long computation on a virtual thread would
 * delay all of them, heartbeats too.
 */
public class ComputeThread implements AutoCloseable {

    private static final String STOPS = "the service is stopping";

    private final String name;
    private final int maxWaiting;
    private final ThreadPoolExecutor thread;

    /**
     * @param maxWaiting limit of computations that wait behind the running one
     */
    public ComputeThread(String name, int maxWaiting) {
        this.name = name;
        this.maxWaiting = maxWaiting;
        this.thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(maxWaiting),
                        Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * Queues a computation and returns at once. A computation that {@link #close} discards ends
     * without notice.
     *
     * @throws Problem {@code busy} if the queue is full
     */
    public void start(Runnable computation) {
        try {
            thread.execute(computation);
        } catch (RejectedExecutionException tooMany) {
            throw busy();
        }
    }

    /**
     * Queues a computation and waits for its result.
     *
     * @throws Problem {@code busy} if the queue is full; exceptions of the computation pass through
     */
    public <T> T call(Supplier<T> computation) {
        return call(computation, WaitCallback.NOTHING);
    }

    /**
     * Queues a computation and waits for its result; calls {@code meanwhile} periodically until
     * then.
     *
     * @throws Problem {@code busy} if the queue is full; exceptions of the computation and of the
     *     callback pass through
     */
    public <T> T call(Supplier<T> computation, WaitCallback meanwhile) {
        Future<T> result = submit(computation);
        try {
            return awaited(result, meanwhile);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Problem.of(ErrorCode.BUSY, STOPS);
        } catch (CancellationException closed) {
            throw Problem.of(ErrorCode.BUSY, STOPS);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException thrown
                    ? thrown
                    : new IllegalStateException(failure.getCause());
        }
    }

    private <T> Future<T> submit(Supplier<T> computation) {
        try {
            return thread.submit(computation::get);
        } catch (RejectedExecutionException tooMany) {
            throw busy();
        }
    }

    private static <T> T awaited(Future<T> result, WaitCallback meanwhile)
            throws InterruptedException, ExecutionException {
        try {
            while (true) {
                try {
                    return result.get(meanwhile.every().toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException _) {
                    meanwhile.action().run();
                }
            }
        } finally {
            // An unfinished computation has lost its only reader.
            result.cancel(true);
        }
    }

    private Problem busy() {
        return Problem.of(
                ErrorCode.BUSY,
                "The queue of %s is full (%d waiting computations): try again later"
                        .formatted(name, maxWaiting));
    }

    /** Number of computations that wait behind the running one. */
    public int waiting() {
        return thread.getQueue().size();
    }

    /** Interrupts the running computation and rejects the waiting ones with {@code busy}. */
    @Override
    public void close() {
        for (Runnable waiting : thread.shutdownNow()) {
            if (waiting instanceof Future<?> result) {
                result.cancel(true);
            }
        }
    }
}
