package dev.equipoise.agent.time;

import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.order.SystemLock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Background thread on a system thread. If a caller is interrupted while it waits, it interrupts
 * the task, still waits for its end, and can start no other one.
 */
public final class SystemBackground implements BackgroundThread {

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("background").daemon().factory());

    /** Tasks that have not been awaited, oldest first. */
    private final Deque<Future<?>> tasks = new ArrayDeque<>();

    /** Whether a task has failed, which skips the tasks behind it; reset when none is left. */
    private volatile boolean hasFailed;

    @Override
    public void start(Runnable work) {
        if (!tasks.isEmpty()) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        hasFailed = false;
        startNext(work);
    }

    @Override
    public void startNext(Runnable work) {
        tasks.add(thread.submit(() -> runUnlessFailed(work)));
    }

    private void runUnlessFailed(Runnable work) {
        if (hasFailed) {
            return;
        }
        // Holds unless the task returns.
        hasFailed = true;
        work.run();
        hasFailed = false;
    }

    @Override
    public boolean isDone() {
        return tasks.isEmpty() || tasks.getLast().isDone();
    }

    @Override
    public void await() {
        Throwable first = null;
        while (!tasks.isEmpty()) {
            Throwable failure = failure(tasks.remove());
            first = first == null ? failure : first;
        }
        hasFailed = false;
        rethrow(first);
    }

    /** Returns the failure of a task; null if it succeeded. */
    private @Nullable Throwable failure(Future<?> awaited) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    awaited.get();
                    return null;
                } catch (ExecutionException e) {
                    return e.getCause();
                } catch (CancellationException e) {
                    return e;
                } catch (InterruptedException _) {
                    interrupted = true;
                    stop();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Interrupts the current task and cancels those that have not begun, which never will. */
    private void stop() {
        for (Runnable unbegun : thread.shutdownNow()) {
            if (unbegun instanceof Future<?> future) {
                future.cancel(false);
            }
        }
    }

    private static void rethrow(@Nullable Throwable failure) {
        switch (failure) {
            case null -> {}
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new IllegalStateException(failure);
        }
    }

    @Override
    public OrderedLock newLock() {
        return new SystemLock();
    }

    @Override
    public void close() {
        thread.close();
    }
}
