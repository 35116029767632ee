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
 * Follows the database's clock, so that all instances of the service have the same time: one
 * instance compares times that another has stored, such as the last heartbeat of a worker. It ticks
 * in microseconds, the precision of the database, so that the response to a change has the times
 * that are read afterwards.
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

    /** Measures the offset again every 30 s, since clocks drift. */
    @Scheduled(initialDelayString = "PT30S", fixedDelayString = "PT30S")
    void compare() {
        Instant before = own.instant();
        Instant databaseTime =
                database.sql("select clock_timestamp()")
                        .query(OffsetDateTime.class)
                        .single()
                        .toInstant();
        Instant after = own.instant();
        ahead =
                nearest(
                        ahead,
                        Duration.between(after, databaseTime),
                        Duration.between(before, databaseTime));
    }

    /**
     * Returns the known offset of the database's clock if it lies within the measured bounds, and
     * the nearer bound otherwise, so that time does not jump to and fro.
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
        throw new UnsupportedOperationException(
                "the service uses instants only: a time zone is not supported");
    }
}
