package dev.equipoise.agent.time;

import dev.equipoise.agent.order.SystemTurns;
import dev.equipoise.agent.order.Turns;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A thread of this machine. A caller that is interrupted while it waits passes that on to the task,
 * still waits for its end, and can start no other.
 */
public final class SystemBackground implements Background {

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("background").daemon().factory());

    private @Nullable Future<?> task;

    @Override
    public void start(Runnable work) {
        if (task != null) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        task = thread.submit(work);
    }

    @Override
    public boolean isDone() {
        return task == null || task.isDone();
    }

    @Override
    public void await() {
        if (task != null) {
            Future<?> awaited = task;
            task = null;
            rethrow(failure(awaited));
        }
    }

    /** What the task has thrown; null where it ended well. */
    private @Nullable Throwable failure(Future<?> awaited) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    awaited.get();
                    return null;
                } catch (ExecutionException e) {
                    return e.getCause();
                } catch (InterruptedException _) {
                    interrupted = true;
                    thread.shutdownNow();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
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
    public Turns turns() {
        return new SystemTurns();
    }

    @Override
    public void close() {
        thread.close();
    }
}
