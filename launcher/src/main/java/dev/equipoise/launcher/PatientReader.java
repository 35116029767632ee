package dev.equipoise.launcher;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Asks again where a service does not answer: it may be restarted or far away, and runs of hours go
 * on without us. For reading alone: what is asked twice must do nothing.
 */
final class PatientReader {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(16);

    private final Site site;
    private final Progress progress;
    private final LongSupplier nanoTime;
    private final Consumer<Duration> pause;

    /**
     * Reads from a site.
     *
     * @param progress where it is said that the service does not answer
     * @param nanoTime the time, in nanoseconds
     * @param pause lets time pass
     */
    PatientReader(Site site, Progress progress, LongSupplier nanoTime, Consumer<Duration> pause) {
        this.site = site;
        this.progress = progress;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    static PatientReader of(Site site, Progress progress) {
        return new PatientReader(site, progress, System::nanoTime, Pause::of);
    }

    /**
     * An answer, for which it waits some minutes.
     *
     * @throws NoAnswer where there is none then
     */
    <T> T read(Function<ServiceApi, T> request) {
        long start = nanoTime.getAsLong();
        for (Duration next = SHORTEST_PAUSE; ; next = twice(next)) {
            site.requireAlive();
            try {
                return request.apply(site.api());
            } catch (NoAnswer silence) {
                if (nanoTime.getAsLong() - start >= LIMIT.toNanos()) {
                    throw silence;
                }
                if (next.equals(SHORTEST_PAUSE)) {
                    progress.say(
                            "%s; it is asked again for %d minutes"
                                    .formatted(silence.getMessage(), LIMIT.toMinutes()));
                }
                pause.accept(next);
            }
        }
    }

    private static Duration twice(Duration pause) {
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
}
