package dev.equipoise.agent.channel;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the sleeping thread of a rank. The thread registers itself, polls once more, and only then
 * sleeps, so that a wake-up after a change is never missed.
 */
public final class ThreadWaker {

    private volatile @Nullable Thread sleeper;

    /** Wakes the registered thread, if there is one. Any thread may call. */
    public void ring() {
        Thread waiting = sleeper;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    void register() {
        sleeper = Thread.currentThread();
    }

    void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
        unregister();
    }

    void unregister() {
        sleeper = null;
    }
}
