package dev.equipoise.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the process being told to stop (SIGTERM, Ctrl-C) into an interrupt of the duty thread, and
 * gives that some time to take its leave. The status is then 0, for it did what it was told.
 */
final class Departure implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(9);

    private final Thread duty;
    private final CountDownLatch done = new CountDownLatch(1);

    private Departure(Thread duty) {
        this.duty = duty;
    }

    /** From now on until closed. */
    static Departure of(Thread duty) {
        var departure = new Departure(duty);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(departure::whenToldToStop));
        return departure;
    }

    /** The duty thread has nothing more to do. */
    @Override
    public void close() {
        done.countDown();
    }

    private void whenToldToStop() {
        if (done.getCount() == 0) {
            return;
        }
        duty.interrupt();
        try {
            if (done.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
