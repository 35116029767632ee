package dev.equipoise.agent.channel;

import java.io.IOException;
import java.time.Duration;

/** Polls for a moment, then sleeps, and gives up when nothing has moved for too long. */
final class Waiting {

    private final Sleeper sleeper;
    private final Polling polling;
    private final Duration idle;
    private long lastProgress;
    private boolean prepared;

    /**
     * @param idle without a single byte moved
     */
    Waiting(Sleeper sleeper, Polling polling, Duration idle) {
        this.sleeper = sleeper;
        this.polling = polling;
        this.idle = idle;
    }

    void begin() {
        lastProgress = System.nanoTime();
        prepared = false;
    }

    /**
     * Called after each look at the links.
     *
     * @param dueNanos when the links have something to do by themselves
     * @return false when it is time to give up
     */
    boolean after(long moved, long dueNanos) throws IOException {
        long now = System.nanoTime();
        if (moved > 0) {
            lastProgress = now;
            prepared = false;
            return true;
        }
        long quiet = now - lastProgress;
        if (quiet > idle.toNanos()) {
            return false;
        }
        if (polling.goesOn(now, quiet)) {
            polling.pause(now);
        } else if (prepared) {
            prepared = false;
            sleeper.sleep(Math.min(dueNanos, idle.toNanos() - quiet + 1));
        } else {
            prepared = true;
            sleeper.prepare();
        }
        return true;
    }

    Duration idle() {
        return idle;
    }

    /** Has the links looked at once more; for any thread. */
    void wake() {
        sleeper.wake();
    }

    void close() {
        sleeper.close();
    }
}
