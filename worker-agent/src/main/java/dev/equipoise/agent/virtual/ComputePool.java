package dev.equipoise.agent.virtual;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Threads that compute, first come, first served; each has a number. */
final class ComputePool implements AutoCloseable {

    private final BlockingQueue<Job<?>> jobs = new LinkedBlockingQueue<>();
    private final ExecutorService threads;

    ComputePool(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("at least one thread computes, but were " + size);
        }
        this.threads =
                Executors.newFixedThreadPool(
                        size, Thread.ofPlatform().name("virtual-compute-", 0).daemon().factory());
        for (int i = 0; i < size; i++) {
            int thread = i;
            threads.execute(() -> work(thread));
        }
    }

    /** Returns at once. */
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

    /** Ends the threads; nobody may wait for a job. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** A task and what becomes of it. */
    static final class Job<T extends @Nullable Object> {

        private final IntFunction<T> task;
        private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();

        private Job(IntFunction<T> task) {
            this.task = task;
        }

        private void run(int thread) {
            outcome.complete(Outcome.of(() -> task.apply(thread)));
        }

        /** When it is over, and not before: it uses the caller's memory. */
        Outcome<T> await() {
            return outcome.join();
        }
    }
}
