package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.datasource.AbstractDataSource;

class DatabaseHealthTest {

    private final AtomicLong nanos = new AtomicLong();
    private final DatabaseHealth health =
            new DatabaseHealth(new UnavailableDataSource(), nanos::get);

    private static final class UnavailableDataSource extends AbstractDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("no");
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            throw new SQLException("no");
        }
    }

    @Test
    void databaseIsHealthyUntilItHasNotAnsweredForFourSeconds() {
        health.look();
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        health.look();
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }
}
