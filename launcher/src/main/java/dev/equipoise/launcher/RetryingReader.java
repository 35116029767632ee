package dev.equipoise.launcher;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Repeats a request while the service does not answer: it may be restarting or far away, and runs
 * of hours continue meanwhile. Accepts only requests without side effects, because it may repeat
 * them.
 */
public final class RetryingReader {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration MIN_PAUSE = Duration.ofMillis(500);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(16);

    private final Runnable requireAlive;
    private final Supplier<ServiceApi> api;
    private final Progress progress;
    private final LongSupplier nanoTime;
    private final Consumer<Duration> pause;

    /**
     * Creates a reader.
     *
     * @param progress where the reader says that the service does not answer
     * @param nanoTime clock, in nanoseconds
     * @param pause lets time pass
     */
    RetryingReader(Site site, Progress progress, LongSupplier nanoTime, Consumer<Duration> pause) {
        this(site::requireAlive, site::api, progress, nanoTime, pause);
    }

    private RetryingReader(
            Runnable requireAlive,
            Supplier<ServiceApi> api,
            Progress progress,
            LongSupplier nanoTime,
            Consumer<Duration> pause) {
        this.requireAlive = requireAlive;
        this.api = api;
        this.progress = progress;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    static RetryingReader of(Site site, Progress progress) {
        return new RetryingReader(site, progress, System::nanoTime, Pause::of);
    }

    /** Returns a reader of a service that runs already. */
    public static RetryingReader of(ServiceApi api, Progress progress) {
        return new RetryingReader(() -> {}, () -> api, progress, System::nanoTime, Pause::of);
    }

    /**
     * Returns the answer to a request, for which it waits up to 5 minutes.
     *
     * @throws ServiceUnreachable if there is no answer by then
     */
    public <T> T read(Function<ServiceApi, T> request) {
        long start = nanoTime.getAsLong();
        for (Duration next = MIN_PAUSE; ; next = twice(next)) {
            requireAlive.run();
            try {
                return request.apply(api.get());
            } catch (ServiceUnreachable unreachable) {
                if (nanoTime.getAsLong() - start >= LIMIT.toNanos()) {
                    throw unreachable;
                }
                if (next.equals(MIN_PAUSE)) {
                    progress.say(
                            "%s; retrying for %d minutes"
                                    .formatted(unreachable.getMessage(), LIMIT.toMinutes()));
                }
                pause.accept(next);
            }
        }
    }

    private static Duration twice(Duration pause) {
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(MAX_PAUSE) < 0 ? longer : MAX_PAUSE;
    }
}
