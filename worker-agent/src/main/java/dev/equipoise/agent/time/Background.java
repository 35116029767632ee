package dev.equipoise.agent.time;

import dev.equipoise.agent.order.Turns;

/** A second thread of one rank, which does one task at a time. The rank's own thread uses it. */
public interface Background extends AutoCloseable {

    /**
     * Begins a task, which must exchange over the rank's channel only while the rank's own thread
     * does not.
     *
     * @throws IllegalStateException when the last task has not been awaited
     */
    void start(Runnable task);

    /** Whether the task is over, so that {@link #await} returns at once. */
    boolean isDone();

    /**
     * Returns when the task is over.
     *
     * @throws RuntimeException what the task has thrown
     */
    void await();

    /** For what this thread shares with the rank's own; other turns each time. */
    Turns turns();

    /** Waits for the task that is under way, whatever becomes of it. */
    @Override
    void close();
}
