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
 * A thread for what computes for seconds. Requests and passes over the queue share as few carriers
 * as there are cores, and would hold all others up, heartbeats too.
 */
public class ComputingThread implements AutoCloseable {

    private static final String STOPS = "the service stops";

    private final String name;
    private final int mostWaiting;
    private final ThreadPoolExecutor thread;

    /**
     * @param mostWaiting how many may stand behind the one that computes
     */
    public ComputingThread(String name, int mostWaiting) {
        this.name = name;
        this.mostWaiting = mostWaiting;
        this.thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(mostWaiting),
                        Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * Has it done in its turn, and waits for nothing; whoever is sent away at the end hears
     * nothing.
     *
     * @throws Problem {@code busy} where too many wait already
     */
    public void start(Runnable computation) {
        try {
            thread.execute(computation);
        } catch (RejectedExecutionException tooMany) {
            throw busy();
        }
    }

    /**
     * Waits for its turn and for the result.
     *
     * @throws Problem {@code busy} where too many wait already, and whatever the computation throws
     */
    public <T> T call(Supplier<T> computation) {
        return call(computation, Meanwhile.NOTHING);
    }

    /**
     * Waits for its turn and for the result, and does something every so often as long as neither
     * has come.
     *
     * @throws Problem {@code busy} where too many wait already, and whatever the computation or the
     *     other throws
     */
    public <T> T call(Supplier<T> computation, Meanwhile meanwhile) {
        Future<T> result;
        try {
            result = thread.submit(computation::get);
        } catch (RejectedExecutionException tooMany) {
            throw busy();
        }
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

    private static <T> T awaited(Future<T> result, Meanwhile meanwhile)
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
            // Where it is not over, nobody is there for its result any more.
            result.cancel(true);
        }
    }

    private Problem busy() {
        return Problem.of(
                ErrorCode.BUSY,
                "%d wait for %s already; try again later".formatted(mostWaiting, name));
    }

    /** How many stand behind the one that computes. */
    public int waiting() {
        return thread.getQueue().size();
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
