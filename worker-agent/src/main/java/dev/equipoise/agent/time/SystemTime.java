package dev.equipoise.agent.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** The clocks of this machine. */
public final class SystemTime implements Time {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long threadNanos() {
        return threads.getCurrentThreadCpuTime();
    }

    /** Parks again after a spurious return. */
    @Override
    public void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        long remaining = nanos;
        while (remaining > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, remaining);
            remaining = end - System.nanoTime();
        }
    }
}
