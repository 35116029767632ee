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

    /**
     * Starts a task as soon as all earlier ones have ended. If one of them fails, the tasks behind
     * it are skipped until the next {@link #await}, which throws the failure.
     */
    void startNext(Runnable task);

    /** Returns whether all tasks have ended, so that {@link #await} returns at once. */
    boolean isDone();

    /**
     * Waits until all tasks have ended.
     *
     * @throws RuntimeException the exception of the first task that failed
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
