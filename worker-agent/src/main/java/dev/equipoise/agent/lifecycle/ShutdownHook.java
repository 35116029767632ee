package dev.equipoise.agent.lifecycle;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGTERM or Ctrl-C into an interrupt of the agent's main thread, and waits at most 9 s for
 * it to leave the lab. The exit status is then 0, since the agent did what it was told.
 */
final class ShutdownHook implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(9);

    private final Thread mainThread;
    private final CountDownLatch closed = new CountDownLatch(1);

    private ShutdownHook(Thread mainThread) {
        this.mainThread = mainThread;
    }

    /** Registers the hook, which acts until it is closed. */
    static ShutdownHook of(Thread mainThread) {
        var hook = new ShutdownHook(mainThread);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(hook::stop));
        return hook;
    }

    /** Tells that the main thread has left the lab. */
    @Override
    public void close() {
        closed.countDown();
    }

    private void stop() {
        if (closed.getCount() == 0) {
            return;
        }
        mainThread.interrupt();
        try {
            if (closed.await(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
