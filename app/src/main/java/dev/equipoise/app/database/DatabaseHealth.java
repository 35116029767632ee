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
 * Whether the database answers. It is looked after once a second, by the pool that requests use;
 * who asks for the health is told what was seen, so that nobody waits for a database that hangs,
 * and nobody can ask it too often.
 */
final class DatabaseHealth implements HealthIndicator {

    private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

    /** Without an answer for so long it is not well. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final int ANSWER_SECONDS = 2;

    private final DataSource database;
    private final LongSupplier nanos;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long answered;

    /**
     * One that answered just now, as those who have migrated it know.
     *
     * @param nanos a clock that nobody sets
     */
    DatabaseHealth(DataSource database, LongSupplier nanos) {
        this.database = database;
        this.nanos = nanos;
        this.answered = nanos.getAsLong();
    }

    /** One look may hang for as long as the pool lets it; no other joins it. */
    @Scheduled(fixedRate = 1_000)
    void look() {
        if (!looking.compareAndSet(false, true)) {
            return;
        }
        try (Connection connection = database.getConnection()) {
            if (connection.isValid(ANSWER_SECONDS)) {
                answered = nanos.getAsLong();
            }
        } catch (SQLException failure) {
            log.debug("the database does not answer: {}", failure.getMessage());
        } finally {
            looking.set(false);
        }
    }

    @Override
    public Health health() {
        return nanos.getAsLong() - answered < PATIENCE.toNanos()
                ? Health.up().build()
                : Health.down().build();
    }
}
