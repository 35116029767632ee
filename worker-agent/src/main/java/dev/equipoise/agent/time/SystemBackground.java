package dev.equipoise.agent.time;

import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.order.SystemLock;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Background thread on a system thread. If a caller is interrupted while it waits, it interrupts
 * the task, still waits for its end, and can start no other one.
 */
public final class SystemBackground implements BackgroundThread {

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("background").daemon().factory());

    private final boolean interruptsOnClose;
    private @Nullable Future<?> task;

    /** Creates a background thread whose {@link #close} waits for the end of its task. */
    public SystemBackground() {
        this(false);
    }

    private SystemBackground(boolean interruptsOnClose) {
        this.interruptsOnClose = interruptsOnClose;
    }

    /** Creates a background thread whose {@link #close} interrupts its task. */
    public static SystemBackground interruptedByClose() {
        return new SystemBackground(true);
    }

    @Override
    public void start(Runnable work) {
        if (task != null) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        task = thread.submit(withMarks(work));
    }

    /** Gives the log lines of a task the fields of the thread that starts it. */
    private static Runnable withMarks(Runnable work) {
        Map<String, String> marks = MDC.getCopyOfContextMap();
        return () -> {
            MDC.setContextMap(marks == null ? Map.of() : marks);
            work.run();
        };
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

    /** Returns the failure of the task; null if it succeeded. */
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
    public OrderedLock newLock() {
        return new SystemLock();
    }

    @Override
    public void close() {
        if (interruptsOnClose) {
            thread.shutdownNow();
        }
        thread.close();
    }
}
