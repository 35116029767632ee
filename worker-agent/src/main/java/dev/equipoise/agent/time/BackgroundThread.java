package dev.equipoise.agent.time;

import dev.equipoise.agent.order.OrderedLock;

/**
 * A second thread of one rank, which runs one task at a time, in the order of their start. The
 * rank's main thread uses it, and awaits each task.
 */
public interface BackgroundThread extends AutoCloseable {

    /**
     * Starts a task, which may exchange over the rank's channel only while the main thread does
     * not.
     *
     * @throws IllegalStateException when the last task has not been awaited
     */
    void start(Runnable task);

    /**
     * Starts a task when all earlier ones have ended. A task behind a failed one never runs.
     *
     * @param task as for {@link #start}
     */
    void queue(Runnable task);

    /**
     * Returns whether the oldest task that has not been awaited has ended, so that {@link #await}
     * returns at once; true if all have been awaited.
     */
    boolean isDone();

    /**
     * Waits until the oldest task that has not been awaited has ended.
     *
     * @throws RuntimeException the exception of the task; the tasks behind it are dropped
     */
    void await();

    /**
     * Creates a lock for state that this thread shares with the main thread; each call returns a
     * new one.
     */
    OrderedLock newLock();

    /** Waits for all tasks and ignores their failures. */
    @Override
    void close();
}
