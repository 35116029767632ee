package dev.equipoise.agent.channel;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the thread of a rank. It hangs the bell up, looks once more whether there is anything to
 * do, and only then sleeps: whoever rings after having done something is never missed.
 */
public final class Bell {

    private volatile @Nullable Thread sleeper;

    /** Wakes whoever sleeps, if anybody does; for any thread. */
    public void ring() {
        Thread waiting = sleeper;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    void hangUp() {
        sleeper = Thread.currentThread();
    }

    void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
        takeDown();
    }

    void takeDown() {
        sleeper = null;
    }
}
