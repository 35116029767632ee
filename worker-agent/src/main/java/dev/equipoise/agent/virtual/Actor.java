package dev.equipoise.agent.virtual;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a rank with a clock of its own, which is {@link #at}. It runs only while it is handed
 * the turn; all but {@link #resume} and {@link #interrupt} belong to whoever has it.
 */
final class Actor extends Event {

    /** Of a rank's own body. */
    static final long MAIN = Long.MAX_VALUE;

    private final Thread thread;
    private boolean started;
    private volatile boolean hasTurn;

    /** What it waits for, to be named if that never comes; null while it can go on. */
    @Nullable Object awaited;

    /** Who waits for its end. */
    @Nullable Actor joiner;

    boolean ended;

    /**
     * @param number {@link #MAIN}, or which background task of the rank it is, counted from 0
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
                            hasTurn = false;
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

    /** Gives it the turn. */
    void resume() {
        hasTurn = true;
        if (started) {
            LockSupport.unpark(thread);
        } else {
            started = true;
            thread.start();
        }
    }

    /** Waits for the turn; an interrupt is left standing. */
    void awaitTurn() {
        boolean interrupted = false;
        while (!hasTurn) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        hasTurn = false;
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
