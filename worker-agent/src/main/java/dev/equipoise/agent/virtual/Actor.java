package dev.equipoise.agent.virtual;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a rank with its own clock, {@link #at}. It runs only while the scheduler has given it
 * control; all methods but {@link #resume} and {@link #interrupt} belong to the actor in control.
 */
final class Actor extends Event {

    /** The number of a rank's body. */
    static final long MAIN = Long.MAX_VALUE;

    private final Thread thread;
    private boolean started;
    private volatile boolean hasControl;

    /** The awaited object, for the message of a deadlock; null while the actor can run. */
    @Nullable Object awaited;

    /** The actor that waits for the end of this one. */
    @Nullable Actor joiner;

    boolean ended;

    /**
     * @param number {@link #MAIN}, or the number of the background task, from 0
     * @param body must not throw, and ends the actor
     */
    Actor(int rank, long number, long at, Consumer<Actor> body) {
        this.at = at;
        this.sentAt = LAST;
        this.rank = rank;
        this.number = number;
        this.thread =
                Thread.ofVirtual()
                        .name(isMain() ? "rank-" + rank : "background-of-rank-" + rank)
                        .unstarted(() -> {
                            hasControl = false;
                            body.accept(this);
                        });
    }

    boolean isMain() {
        return number == MAIN;
    }

    boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    void advanceTo(long time) {
        at = Math.max(at, time);
    }

    /** Gives control to this actor. */
    void resume() {
        hasControl = true;
        if (started) {
            LockSupport.unpark(thread);
        } else {
            started = true;
            thread.start();
        }
    }

    /** Waits for control; keeps the interrupt status. */
    void awaitControl() {
        boolean interrupted = false;
        while (!hasControl) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        hasControl = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("Interruption") // The cluster owns its threads.
    void interrupt() {
        thread.interrupt();
    }

    @Override
    public String toString() {
        return isMain() ? "rank " + rank : "the background of rank " + rank;
    }
}
