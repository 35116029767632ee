package dev.equipoise.agent.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** The clocks of the operating system. */
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

    /** Sleeps, and parks again after a spurious return. */
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
