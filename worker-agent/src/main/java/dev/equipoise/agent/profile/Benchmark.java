package dev.equipoise.agent.profile;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Repeats a kernel until its mean time at every size is precise enough. It sweeps over the sizes
 * several times and spends a part of the repetitions in each sweep, so that load on the host that
 * comes and goes within seconds affects all points alike. A disturbed point is measured again; if
 * all attempts are disturbed, the steadiest one counts and is marked.
 *
 * <p>Co-located workers repeat their kernels in time slots that begin at the same moment, until the
 * last of them is precise enough, so that each is as slow as the others make it.
 */
final class Benchmark {

    /** Warm-ups of a size, whose first executions allocate memory and fill caches. */
    private static final int WARM_UPS = 3;

    private static final int SWEEPS = 3;

    /** Number of attempts after a disturbed one. */
    private static final int MAX_REPEATS = 2;

    private static final Duration SLOT = Duration.ofMillis(100);

    /** Least number of executions of the slowest co-located worker in a slot. */
    private static final int SLOWEST_STEPS = 2;

    private static final double PER_MILLE = 1000;

    /**
     * Limit that keeps the sum over 64 co-located workers below 2^24, so that all read the same
     * number.
     */
    private static final int MAX_PER_MILLE = 100_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Precision precision;
    private final CoLocatedProfilers coLocated;
    private final Disturbance disturbance;
    private final RunQueueLatency runQueue;
    private final Time time;

    Benchmark(
            Precision precision,
            CoLocatedProfilers coLocated,
            Disturbance disturbance,
            RunQueueLatency runQueue,
            Time time) {
        this.precision = precision;
        this.coLocated = coLocated;
        this.disturbance = disturbance;
        this.runQueue = runQueue;
        this.time = time;
    }

    /** Kernel at its sizes, with the listener of its points. */
    private record MeasuredKernel(
            IntFunction<Runnable> kernels, Consumer<MeasuredPoint> listener) {}

    /**
     * Measurement of a size.
     *
     * @param waited largest fraction of a sweep's time for which threads waited for a processor
     */
    private record Measurement(Sample sample, double waited) {

        static final Measurement NOTHING = new Measurement(Sample.EMPTY, 0);
    }

    /**
     * Attempt to measure a size; a size has several.
     *
     * @param number from 1
     * @param unsteadiness sum over all co-located workers of their disturbance, in thousandths; 0
     *     if none was disturbed
     */
    private record Attempt(int number, Measurement measured, int unsteadiness) {

        boolean isDisturbed() {
            return unsteadiness > 0;
        }

        /** Returns the steadier attempt, and the later one of equals. */
        Attempt steadier(Attempt later) {
            return later.unsteadiness <= unsteadiness ? later : this;
        }
    }

    /** Warms up a kernel for the just-in-time compiler before any measurement. */
    void warmUp(Runnable kernel, Duration duration) throws InterruptedException {
        long end = time.nanoTime() + duration.toNanos();
        while (time.nanoTime() < end) {
            requireNotInterrupted();
            kernel.run();
        }
    }

    /**
     * Measures each point, and reports it whenever it is known better than before.
     *
     * @param kernels returns the kernel for a size
     */
    void measure(Points points, IntFunction<Runnable> kernels, Consumer<MeasuredPoint> listener)
            throws InterruptedException {
        var kernel = new MeasuredKernel(kernels, listener);
        switch (points) {
            case Points.Fixed(var sizes) -> measureAll(sizes, kernel);
            case Points.Adaptive adaptive -> bisect(adaptive, kernel);
        }
    }

    /**
     * Bisects level by level: each level measures the middles of all intervals that are too wide.
     */
    private void bisect(Points.Adaptive points, MeasuredKernel kernel) throws InterruptedException {
        var bisection = new Bisection(points);
        List<Integer> next = bisection.ends();
        while (!next.isEmpty()) {
            Map<Integer, Sample> measured = measureAll(next, kernel);
            next = bisection.after(measured, coLocated::any);
        }
    }

    private Map<Integer, Sample> measureAll(List<Integer> sizes, MeasuredKernel kernel)
            throws InterruptedException {
        Map<Integer, Attempt> best = new HashMap<>();
        List<Integer> pending = sizes;
        int number = 0;
        while (number <= MAX_REPEATS && !pending.isEmpty()) {
            number++;
            List<Integer> disturbed = new ArrayList<>();
            for (var measured : sweeps(pending, kernel).entrySet()) {
                Attempt last = judge(number, measured.getValue());
                best.merge(measured.getKey(), last, Attempt::steadier);
                if (last.isDisturbed()) {
                    disturbed.add(measured.getKey());
                }
            }
            pending = disturbed;
        }
        reportAgain(pending, number, best, kernel);
        return samples(best);
    }

    private static Map<Integer, Sample> samples(Map<Integer, Attempt> best) {
        Map<Integer, Sample> samples = new HashMap<>();
        best.forEach((size, attempt) -> samples.put(size, attempt.measured().sample()));
        return samples;
    }

    /**
     * Judges an attempt with all co-located workers, which keep the same one: what one of them
     * measured depends on what the others did meanwhile, so that figures of different attempts
     * would describe a load that never was.
     */
    private Attempt judge(int number, Measurement measured) {
        boolean disturbed = coLocated.any(isDisturbed(measured));
        return new Attempt(
                number,
                measured,
                disturbed ? coLocated.sum().applyAsInt(unsteadiness(measured)) : 0);
    }

    /**
     * Returns the disturbance in thousandths; at least 1, since 0 means undisturbed, and at most
     * what a float32 sum can hold.
     */
    private int unsteadiness(Measurement measured) {
        double degree = disturbance.degree(measured.sample(), measured.waited());
        return Math.clamp(Math.round(PER_MILLE * degree), 1, MAX_PER_MILLE);
    }

    /** Reports the best attempt again if it is not the last one, since the latest report counts. */
    private void reportAgain(
            List<Integer> disturbed, int last, Map<Integer, Attempt> best, MeasuredKernel kernel) {
        for (int size : disturbed) {
            Attempt attempt = Objects.requireNonNull(best.get(size));
            if (attempt.number() != last) {
                report(size, attempt.measured(), kernel);
            }
        }
    }

    private void report(int size, Measurement measured, MeasuredKernel kernel) {
        kernel.listener()
                .accept(measured.sample().at(size, precision.confidence(), isDisturbed(measured)));
    }

    /** Measures all sizes in sweeps; returns them in the given order. */
    private SequencedMap<Integer, Measurement> sweeps(List<Integer> sizes, MeasuredKernel kernel)
            throws InterruptedException {
        SequencedMap<Integer, Measurement> measured = new LinkedHashMap<>();
        for (int sweep = 1; sweep <= SWEEPS; sweep++) {
            double fraction = sweep / (double) SWEEPS;
            for (int size : sizes) {
                Measurement before = measured.getOrDefault(size, Measurement.NOTHING);
                if (coLocated.any(!before.sample().isSpent(precision, 1))) {
                    Measurement refined = refine(before, fraction, kernel.kernels().apply(size));
                    measured.put(size, refined);
                    report(size, refined, kernel);
                }
            }
        }
        return measured;
    }

    private boolean isDisturbed(Measurement measured) {
        return disturbance.isIn(measured.sample(), measured.waited());
    }

    /**
     * Repeats the kernel some more, however precise the sample is: it may come from a slow phase of
     * the host.
     */
    private Measurement refine(Measurement before, double fraction, Runnable kernel)
            throws InterruptedException {
        for (int i = 1; i < WARM_UPS; i++) {
            kernel.run();
        }
        Sample sample = before.sample();
        int least = sample.repetitions() + Math.ceilDiv(precision.minRepetitions(), SWEEPS);
        long slot = slotNanos(kernel);
        RunQueueLatency.Reading begun = runQueue.read();
        do {
            sample = slot(sample, least, fraction, kernel, slot);
        } while (coLocated.any(!isEnough(sample, least, fraction)));
        return new Measurement(
                sample, Math.max(before.waited(), runQueue.read().waitedSince(begun)));
    }

    /**
     * Warms up once more, and agrees with the co-located workers on a slot for some executions of
     * the slowest of them. A shorter slot would leave the slowest alone for most of its execution.
     */
    private long slotNanos(Runnable kernel) {
        long start = time.nanoTime();
        kernel.run();
        long own = Duration.ofNanos(time.nanoTime() - start).toMillis();
        return Math.max(
                SLOT.toNanos(),
                SLOWEST_STEPS * Duration.ofMillis(coLocated.sum().applyAsInt((int) own)).toNanos());
    }

    /**
     * Repeats until the sample is precise enough, or until the end of the slot with co-located
     * workers.
     */
    private Sample slot(Sample before, int least, double fraction, Runnable kernel, long slotNanos)
            throws InterruptedException {
        long end = time.nanoTime() + slotNanos;
        Sample sample = before;
        do {
            requireNotInterrupted();
            long start = time.nanoTime();
            kernel.run();
            sample = sample.plus((time.nanoTime() - start) / NANOS_PER_SECOND);
        } while (coLocated.count() == 1
                ? !isEnough(sample, least, fraction)
                : time.nanoTime() < end);
        return sample;
    }

    private boolean isEnough(Sample sample, int least, double fraction) {
        return sample.repetitions() >= least
                && (sample.suffices(precision) || sample.isSpent(precision, fraction));
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("a measurement was interrupted");
        }
    }
}
