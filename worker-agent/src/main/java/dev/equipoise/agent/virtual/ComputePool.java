package dev.equipoise.agent.virtual;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A pool of numbered threads that run compute jobs in FIFO order. */
final class ComputePool implements AutoCloseable {

    private final BlockingQueue<Job<?>> jobs = new LinkedBlockingQueue<>();
    private final ExecutorService threads;

    ComputePool(int size) {
        if (size < 1) {
            throw new IllegalArgumentException(
                    "the number of compute threads must be at least 1, but was " + size);
        }
        this.threads =
                Executors.newFixedThreadPool(
                        size, Thread.ofPlatform().name("virtual-compute-", 0).daemon().factory());
        for (int i = 0; i < size; i++) {
            int thread = i;
            threads.execute(() -> work(thread));
        }
    }

    /** Submits a task and returns at once. */
    <T extends @Nullable Object> Job<T> begin(IntFunction<T> task) {
        var job = new Job<>(task);
        jobs.add(job);
        return job;
    }

    private void work(int thread) {
        try {
            while (true) {
                jobs.take().run(thread);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the threads; no job may be awaited anymore. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** A task and its result. */
    static final class Job<T extends @Nullable Object> {

        private final IntFunction<T> task;
        private final CompletableFuture<TaskResult<T>> result = new CompletableFuture<>();

        private Job(IntFunction<T> task) {
            this.task = task;
        }

        private void run(int thread) {
            result.complete(TaskResult.of(() -> task.apply(thread)));
        }

        /** Waits until the task has ended, however long: it uses the caller's memory. */
        TaskResult<T> await() {
            return result.join();
        }
    }
}
