package dev.equipoise.agent.profile;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Repeats a kernel until its mean time is known well enough at every size. It goes over the sizes
 * several times and spends a part of the effort each time, so that other load on the machine, which
 * comes and goes within seconds, spoils no single point.
 */
final class Benchmark {

    /** A new size allocates memory and fills caches in its first executions. */
    private static final int WARM_UPS = 3;

    private static final int SWEEPS = 3;

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

    /**
     * Measures each size, and tells of it whenever it is known better than before.
     *
     * @param kernels what to execute at a size
     */
    void measure(List<Integer> sizes, IntFunction<Runnable> kernels, Consumer<MeasuredPoint> points)
            throws InterruptedException {
        Map<Integer, Sample> samples = new HashMap<>();
        for (int sweep = 1; sweep <= SWEEPS; sweep++) {
            double part = sweep / (double) SWEEPS;
            for (int size : sizes) {
                Sample before = samples.getOrDefault(size, Sample.EMPTY);
                if (!before.isSpent(precision, 1)) {
                    Sample sample = refine(before, part, kernels.apply(size));
                    samples.put(size, sample);
                    points.accept(sample.at(size, precision.confidence()));
                }
            }
        }
    }

    /** Some repetitions more, however exact the sample is: the machine may have been slow then. */
    private Sample refine(Sample before, double part, Runnable kernel) throws InterruptedException {
        for (int i = 0; i < WARM_UPS; i++) {
            kernel.run();
        }
        int least = before.repetitions() + Math.ceilDiv(precision.minRepetitions(), SWEEPS);
        Sample sample = before;
        while (sample.repetitions() < least
                || !(sample.suffices(precision) || sample.isSpent(precision, part))) {
            requireNotInterrupted();
            long start = time.nanoTime();
            kernel.run();
            sample = sample.plus((time.nanoTime() - start) / NANOS_PER_SECOND);
        }
        return sample;
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("a measurement was given up");
        }
    }
}
