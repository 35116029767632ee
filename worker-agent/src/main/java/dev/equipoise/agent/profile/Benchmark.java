package dev.equipoise.agent.profile;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import java.time.Duration;

/** Repeats a kernel until its mean time is known well enough. */
final class Benchmark {

    /** A new size allocates memory and fills caches in its first executions. */
    private static final int WARM_UPS = 3;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Precision precision;
    private final Time time;

    Benchmark(Precision precision, Time time) {
        this.precision = precision;
        this.time = time;
    }

    /** Lets the just-in-time compiler see the kernel before anything is measured. */
    void warmUp(Runnable kernel, Duration duration) throws InterruptedException {
        long end = time.nanoTime() + duration.toNanos();
        while (time.nanoTime() < end) {
            requireNotInterrupted();
            kernel.run();
        }
    }

    MeasuredPoint measure(int size, Runnable kernel) throws InterruptedException {
        for (int i = 0; i < WARM_UPS; i++) {
            kernel.run();
        }
        Sample sample = Sample.EMPTY;
        while (!sample.suffices(precision)) {
            requireNotInterrupted();
            long start = time.nanoTime();
            kernel.run();
            sample = sample.plus((time.nanoTime() - start) / NANOS_PER_SECOND);
        }
        return sample.at(size, precision.confidence());
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("a measurement was given up");
        }
    }
}
