package dev.equipoise.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Reports whether the database answers. It checks once a second through the connection pool that
 * requests use. A health request gets the latest result, so that it never waits for a hanging
 * database and cannot load it.
 */
final class DatabaseHealth implements HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

    /** The database is unhealthy after this time without an answer. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(4);

    private static final int VALIDATION_SECONDS = 2;

    private final DataSource database;
    private final LongSupplier nanos;
    private final AtomicBoolean checking = new AtomicBoolean();
    private volatile long answered;

    /**
     * Begins healthy, since the migration has just used the database.
     *
     * @param nanos a monotonic clock, in nanoseconds
     */
    DatabaseHealth(DataSource database, LongSupplier nanos) {
        this.database = database;
        this.nanos = nanos;
        this.answered = nanos.getAsLong();
    }

    /**
     * Checks the connection. A check may hang until the pool times out; no second one runs
     * meanwhile.
     */
    @Scheduled(fixedRate = 1_000)
    void look() {
        if (!checking.compareAndSet(false, true)) {
            return;
        }
        try (Connection connection = database.getConnection()) {
            if (connection.isValid(VALIDATION_SECONDS)) {
                answered = nanos.getAsLong();
            }
        } catch (SQLException failure) {
            log.debug("the database does not answer: {}", failure.getMessage());
        } finally {
            checking.set(false);
        }
    }

    @Override
    public Health health() {
        return nanos.getAsLong() - answered < ANSWER_TIMEOUT.toNanos()
                ? Health.up().build()
                : Health.down().build();
    }
}
