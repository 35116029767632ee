package dev.equipoise.agent.time;

import dev.equipoise.agent.order.OrderedLock;

/** A second thread of one rank, which runs one task at a time. The rank's main thread uses it. */
public interface BackgroundThread extends AutoCloseable {

    /**
     * Starts a task, which may exchange over the rank's channel only while the main thread does
     * not.
     *
     * @throws IllegalStateException when the last task has not been awaited
     */
    void start(Runnable task);

    /** Returns whether the task has ended, so that {@link #await} returns at once. */
    boolean isDone();

    /**
     * Waits until the task has ended.
     *
     * @throws RuntimeException the exception of the task
     */
    void await();

    /**
     * Creates a lock for state that this thread shares with the main thread; each call returns a
     * new one.
     */
    OrderedLock newLock();

    /** Waits for the current task and ignores its failure. */
    @Override
    void close();
}
