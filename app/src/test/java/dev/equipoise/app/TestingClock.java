package dev.equipoise.app;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Goes as fast as any clock and as fine as the service's, and can be moved forward; or stands still
 * but for a microsecond each time that it is read, so that what is played again is the same.
 */
public final class TestingClock extends Clock {

    private static final Duration READING = Duration.of(1, ChronoUnit.MICROS);

    private final Clock real = Clock.systemUTC();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private volatile @Nullable Instant stoppedAt;

    public void stop() {
        stoppedAt = real.instant();
    }

    public void advance(Duration step) {
        ahead.accumulateAndGet(step, Duration::plus);
    }

    @Override
    public Instant instant() {
        Instant stopped = stoppedAt;
        if (stopped != null) {
            return stopped.plus(ahead.accumulateAndGet(READING, Duration::plus))
                    .truncatedTo(ChronoUnit.MICROS);
        }
        return real.instant().plus(ahead.get()).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public ZoneId getZone() {
        return real.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the service knows instants alone");
    }
}
