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
 * Repeats a kernel until its mean time is known well enough at every size. It goes over the sizes
 * several times and spends a part of the effort each time, so that other load on the machine, which
 * comes and goes within seconds, spoils no single point; a point that is spoilt all the same is
 * measured anew, and where that is in vain the steadiest attempt counts and bears a mark.
 *
 * <p>Companions repeat their kernels for slots of time that begin at the same moment, until the
 * last of them knows enough, so that each is as slow as the others make it.
 */
final class Benchmark {

    /** A new size allocates memory and fills caches in its first executions. */
    private static final int WARM_UPS = 3;

    private static final int SWEEPS = 3;

    /** How often a disturbed point is measured anew. */
    private static final int REPEATS = 2;

    private static final Duration SLOT = Duration.ofMillis(100);

    /** Executions of the slowest companion that a slot has at least. */
    private static final int SLOWEST_STEPS = 2;

    private static final double PER_MILLE = 1000;

    /** Of 64 companions at most the sum stays below 2^24, so that all read the same number. */
    private static final int MOST_PER_MILLE = 100_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Precision precision;
    private final Companions companions;
    private final Disturbance disturbance;
    private final RunQueue runQueue;
    private final Time time;

    Benchmark(
            Precision precision,
            Companions companions,
            Disturbance disturbance,
            RunQueue runQueue,
            Time time) {
        this.precision = precision;
        this.companions = companions;
        this.disturbance = disturbance;
        this.runQueue = runQueue;
        this.time = time;
    }

    /** A kernel at its sizes, and who hears of its points. */
    private record Subject(IntFunction<Runnable> kernels, Consumer<MeasuredPoint> listener) {}

    /**
     * What is known of a size.
     *
     * @param waited the largest part of a sweep's time for which threads waited for a processor
     */
    private record Found(Sample sample, double waited) {

        static final Found NOTHING = new Found(Sample.EMPTY, 0);
    }

    /**
     * One of several measurements of a size.
     *
     * @param number from 1
     * @param unsteadiness the standard deviations of all companions, each in thousandths of its
     *     mean, in one sum; 0 where none of them was disturbed
     */
    private record Attempt(int number, Found found, int unsteadiness) {

        boolean isDisturbed() {
            return unsteadiness > 0;
        }

        /** The later one of two that are alike. */
        Attempt steadier(Attempt later) {
            return later.unsteadiness <= unsteadiness ? later : this;
        }
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
     * Measures each point, and tells of it whenever it is known better than before.
     *
     * @param kernels what to execute at a size
     */
    void measure(Points points, IntFunction<Runnable> kernels, Consumer<MeasuredPoint> listener)
            throws InterruptedException {
        var subject = new Subject(kernels, listener);
        switch (points) {
            case Points.Fixed(var sizes) -> known(sizes, subject);
            case Points.Adaptive adaptive -> halve(adaptive, subject);
        }
    }

    /** Level by level, each of all intervals that are still too wide. */
    private void halve(Points.Adaptive points, Subject subject) throws InterruptedException {
        var bisection = new Bisection(points);
        List<Integer> next = bisection.ends();
        while (!next.isEmpty()) {
            Map<Integer, Sample> found = known(next, subject);
            next = bisection.after(found, companions::any);
        }
    }

    private Map<Integer, Sample> known(List<Integer> sizes, Subject subject)
            throws InterruptedException {
        Map<Integer, Attempt> best = new HashMap<>();
        List<Integer> wanted = sizes;
        int number = 0;
        while (number <= REPEATS && !wanted.isEmpty()) {
            number++;
            List<Integer> disturbed = new ArrayList<>();
            for (var found : sweeps(wanted, subject).entrySet()) {
                Attempt last = judge(number, found.getValue());
                best.merge(found.getKey(), last, Attempt::steadier);
                if (last.isDisturbed()) {
                    disturbed.add(found.getKey());
                }
            }
            wanted = disturbed;
        }
        tellAgain(wanted, number, best, subject);
        return samples(best);
    }

    private static Map<Integer, Sample> samples(Map<Integer, Attempt> best) {
        Map<Integer, Sample> samples = new HashMap<>();
        best.forEach((size, attempt) -> samples.put(size, attempt.found().sample()));
        return samples;
    }

    /**
     * The companions judge an attempt together and keep the same one: what one of them took is true
     * of what the others did meanwhile, and figures of different attempts would describe a load
     * that there never was.
     */
    private Attempt judge(int number, Found found) {
        boolean disturbed = companions.any(isDisturbed(found));
        return new Attempt(
                number, found, disturbed ? companions.sum().applyAsInt(unsteadiness(found)) : 0);
    }

    /** At least 1, as 0 is for what is not disturbed, and little enough for a sum in float32. */
    private int unsteadiness(Found found) {
        double degree = disturbance.degree(found.sample(), found.waited());
        return Math.clamp(Math.round(PER_MILLE * degree), 1, MOST_PER_MILLE);
    }

    /** The last attempt was told of last, which counts; where another is better it must. */
    private void tellAgain(
            List<Integer> disturbed, int last, Map<Integer, Attempt> best, Subject subject) {
        for (int size : disturbed) {
            Attempt attempt = Objects.requireNonNull(best.get(size));
            if (attempt.number() != last) {
                tell(size, attempt.found(), subject);
            }
        }
    }

    private void tell(int size, Found found, Subject subject) {
        subject.listener()
                .accept(found.sample().at(size, precision.confidence(), isDisturbed(found)));
    }

    /** In the order of the sizes. */
    private SequencedMap<Integer, Found> sweeps(List<Integer> sizes, Subject subject)
            throws InterruptedException {
        SequencedMap<Integer, Found> found = new LinkedHashMap<>();
        for (int sweep = 1; sweep <= SWEEPS; sweep++) {
            double part = sweep / (double) SWEEPS;
            for (int size : sizes) {
                Found before = found.getOrDefault(size, Found.NOTHING);
                if (companions.any(!before.sample().isSpent(precision, 1))) {
                    Found refined = refine(before, part, subject.kernels().apply(size));
                    found.put(size, refined);
                    tell(size, refined, subject);
                }
            }
        }
        return found;
    }

    private boolean isDisturbed(Found found) {
        return disturbance.isIn(found.sample(), found.waited());
    }

    /** Some repetitions more, however exact the sample is: the machine may have been slow then. */
    private Found refine(Found before, double part, Runnable kernel) throws InterruptedException {
        for (int i = 1; i < WARM_UPS; i++) {
            kernel.run();
        }
        Sample sample = before.sample();
        int least = sample.repetitions() + Math.ceilDiv(precision.minRepetitions(), SWEEPS);
        long slot = slotNanos(kernel);
        RunQueue.Reading begun = runQueue.read();
        do {
            sample = slot(sample, least, part, kernel, slot);
        } while (companions.any(!isEnough(sample, least, part)));
        return new Found(sample, Math.max(before.waited(), runQueue.read().waitedSince(begun)));
    }

    /**
     * Warms up once more, and agrees on slots that are long enough for some executions by the
     * slowest of the companions, who begin them together: a shorter one would leave the slowest
     * alone for most of its execution.
     */
    private long slotNanos(Runnable kernel) {
        long start = time.nanoTime();
        kernel.run();
        long own = Duration.ofNanos(time.nanoTime() - start).toMillis();
        return Math.max(
                SLOT.toNanos(),
                SLOWEST_STEPS
                        * Duration.ofMillis(companions.sum().applyAsInt((int) own)).toNanos());
    }

    /** Repeats until it is enough, or, in company, until the slot is over. */
    private Sample slot(Sample before, int least, double part, Runnable kernel, long slotNanos)
            throws InterruptedException {
        long end = time.nanoTime() + slotNanos;
        Sample sample = before;
        do {
            requireNotInterrupted();
            long start = time.nanoTime();
            kernel.run();
            sample = sample.plus((time.nanoTime() - start) / NANOS_PER_SECOND);
        } while (companions.count() == 1 ? !isEnough(sample, least, part) : time.nanoTime() < end);
        return sample;
    }

    private boolean isEnough(Sample sample, int least, double part) {
        return sample.repetitions() >= least
                && (sample.suffices(precision) || sample.isSpent(precision, part));
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("a measurement was given up");
        }
    }
}
