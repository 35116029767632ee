package dev.equipoise.agent;

import com.sun.management.ThreadMXBean;
import dev.equipoise.testing.Patience;
import java.lang.management.ManagementFactory;

/**
 * Repeats a measurement of allocated memory until it is small enough. The just-in-time compiler
 * removes objects that do not outlive a call, but only some time after the code has become hot;
 * that time depends on the host's load and on the classes that ran before. A steady state that
 * really allocates does so in every trial.
 */
public final class AllocationTrials {

    /** Limit below those of the test classes, so that a failure names the bytes. */
    private static final long MAX_NANOS = Patience.PATIENCE.toNanos() / 2;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocationTrials() {}

    /** One measurement. */
    public interface Trial {
        long bytesPerRound() throws Exception;
    }

    /** Fails if no trial within half of {@link Patience} allocates at most {@code maxBytes}. */
    public static void assertBytesPerRound(long maxBytes, Trial trial) throws Exception {
        long begun = System.nanoTime();
        long fewest = Long.MAX_VALUE;
        int trials = 0;
        while (fewest > maxBytes) {
            if (trials > 0 && System.nanoTime() - begun > MAX_NANOS) {
                throw new AssertionError(
                        "the smallest of %d trials allocated %d bytes per round: at most %d"
                                .formatted(trials, fewest, maxBytes));
            }
            fewest = Math.min(fewest, trial.bytesPerRound());
            trials++;
        }
    }

    /** Returns the bytes that the current thread has allocated since its start. */
    public static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Returns the bytes that the current thread allocates during a call. */
    public static long bytesOf(Runnable rounds) {
        long before = allocatedBytes();
        rounds.run();
        return allocatedBytes() - before;
    }
}
