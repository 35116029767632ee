package dev.equipoise.app;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Goes as fast as any clock and as fine as the service's, and can be moved forward. */
public final class TestingClock extends Clock {

    private final Clock real = Clock.systemUTC();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    public void advance(Duration step) {
        ahead.accumulateAndGet(step, Duration::plus);
    }

    @Override
    public Instant instant() {
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
