package dev.equipoise.app;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that a test moves. Each reading advances it by a microsecond, so that instants are
 * distinct and ordered; real time does not move it, however slow the machine is.
 */
public final class TestingClock extends Clock {

    private static final Duration READING = Duration.of(1, ChronoUnit.MICROS);

    private final AtomicReference<Instant> now;

    /** Starts at the present time. */
    public TestingClock() {
        this(Clock.systemUTC().instant().truncatedTo(ChronoUnit.MICROS));
    }

    TestingClock(Instant start) {
        now = new AtomicReference<>(start);
    }

    public void advance(Duration step) {
        now.updateAndGet(present -> present.plus(step));
    }

    @Override
    public Instant instant() {
        return now.updateAndGet(present -> present.plus(READING));
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException(
                "the service uses instants only: a time zone is not supported");
    }
}
