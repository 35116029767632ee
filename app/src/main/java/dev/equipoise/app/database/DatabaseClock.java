package dev.equipoise.app.database;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Goes by the database's clock. What one instance of the service has noted, as when a worker was
 * last heard, another one compares with its own time; so all must have the same. It is as fine as
 * what the database keeps, so that the answer to a change has the times that are read afterwards.
 */
final class DatabaseClock extends Clock {

    private final Clock own;
    private final JdbcClient database;
    private volatile Duration ahead = Duration.ZERO;

    DatabaseClock(Clock own, JdbcClient database) {
        this.own = own;
        this.database = database;
        compare();
    }

    /** Clocks drift. */
    @Scheduled(initialDelayString = "PT30S", fixedDelayString = "PT30S")
    void compare() {
        Instant asked = own.instant();
        Instant there =
                database.sql("select clock_timestamp()")
                        .query(OffsetDateTime.class)
                        .single()
                        .toInstant();
        Instant answered = own.instant();
        ahead = nearest(ahead, Duration.between(answered, there), Duration.between(asked, there));
    }

    /**
     * By how much the database is ahead, when it was asked and answered within these bounds: what
     * it was taken for, if that may be, so that time does not jump to and fro.
     */
    static Duration nearest(Duration known, Duration least, Duration most) {
        if (known.compareTo(least) < 0) {
            return least;
        }
        return known.compareTo(most) > 0 ? most : known;
    }

    @Override
    public Instant instant() {
        return own.instant().plus(ahead).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public ZoneId getZone() {
        return own.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the service knows instants alone");
    }
}
