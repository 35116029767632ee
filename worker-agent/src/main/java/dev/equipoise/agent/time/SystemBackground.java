package dev.equipoise.agent.time;

import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.order.SystemLock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Background thread on a system thread. If a caller is interrupted while it waits, it interrupts
 * the task, still waits for its end, cancels the tasks behind it, and can start no other one.
 */
public final class SystemBackground implements BackgroundThread {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(factory());
    private final boolean interruptsOnClose;

    /** Tasks that have not been awaited, oldest first. */
    private final Deque<Future<?>> tasks = new ArrayDeque<>();

    /** Whether a task has failed that has not been awaited. */
    private volatile boolean hasFailed;

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

    /** Gives the log lines of all tasks the fields of the current thread. */
    private static ThreadFactory factory() {
        ThreadFactory threads = Thread.ofPlatform().name("background").daemon().factory();
        Map<String, String> fields = MDC.getCopyOfContextMap();
        return fields == null
                ? threads
                : body ->
                        threads.newThread(() -> {
                            MDC.setContextMap(fields);
                            body.run();
                        });
    }

    @Override
    public void start(Runnable work) {
        if (!tasks.isEmpty()) {
            throw new IllegalStateException("the last task has not been awaited");
        }
        queue(work);
    }

    @Override
    public void queue(Runnable work) {
        tasks.add(thread.submit(() -> run(work)));
    }

    private void run(Runnable work) {
        if (hasFailed) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            hasFailed = true;
            throw e;
        }
    }

    @Override
    public boolean isDone() {
        return tasks.isEmpty() || tasks.getFirst().isDone();
    }

    @Override
    public void await() {
        Future<?> oldest = tasks.poll();
        if (oldest != null) {
            Throwable failure = failure(oldest);
            if (failure != null) {
                drop();
            }
            rethrow(failure);
        }
    }

    /** Waits for the tasks behind a failed one, which end at once. */
    private void drop() {
        tasks.forEach(this::failure);
        tasks.clear();
        hasFailed = false;
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

    /** Interrupts the current task and cancels those that have not begun. */
    private void stop() {
        thread.shutdownNow().forEach(it -> ((Future<?>) it).cancel(false));
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
