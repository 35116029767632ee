package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.problem.DatabaseFailure;
import dev.equipoise.app.problem.DatabaseFailureLog;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class DatabaseDiskHealthTest {

    @Test
    void fullDiskIsUnhealthy() {
        SQLException full = new SQLException("No space left on device", "53100");

        assertThat(DatabaseFailureLog.report(full)).hasValue(DatabaseFailure.DISK_FULL);

        assertThat(new DatabaseDiskHealth().health().getStatus()).isEqualTo(Status.DOWN);
    }
}
