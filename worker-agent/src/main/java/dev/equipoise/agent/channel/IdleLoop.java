package dev.equipoise.agent.channel;

import java.io.IOException;
import java.time.Duration;

/**
 * Idles between polls of the links: spins for a moment, then sleeps, and gives up when nothing has
 * moved for too long.
 */
final class IdleLoop {

    private final IdleStrategy idleStrategy;
    private final SpinPolicy spinPolicy;
    private final Duration idle;
    private long lastProgress;
    private boolean prepared;

    /**
     * @param idle time without a single byte moved after which the loop gives up
     */
    IdleLoop(IdleStrategy idleStrategy, SpinPolicy spinPolicy, Duration idle) {
        this.idleStrategy = idleStrategy;
        this.spinPolicy = spinPolicy;
        this.idle = idle;
    }

    void begin() {
        lastProgress = System.nanoTime();
        prepared = false;
    }

    /**
     * Idles after a poll of the links.
     *
     * @param moved bytes moved by the poll
     * @param dueNanos nanoseconds until the links have to move frames by themselves
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
        if (spinPolicy.goesOn(now, quiet)) {
            spinPolicy.pause(now);
        } else if (prepared) {
            prepared = false;
            idleStrategy.sleep(Math.min(dueNanos, idle.toNanos() - quiet + 1));
        } else {
            prepared = true;
            idleStrategy.prepare();
        }
        return true;
    }

    Duration idle() {
        return idle;
    }

    /** Makes the idling thread poll the links again. Any thread may call. */
    void wake() {
        idleStrategy.wake();
    }

    void close() {
        idleStrategy.close();
    }
}
