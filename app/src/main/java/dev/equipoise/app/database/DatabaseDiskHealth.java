package dev.equipoise.app.database;

import dev.equipoise.app.problem.DatabaseFailure;
import dev.equipoise.app.problem.DatabaseFailureLog;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Reports whether the database can write, by the latest requests and scheduled tasks: the scheduler
 * writes several times a second. Readiness ignores it, since reads succeed on a full disk.
 */
final class DatabaseDiskHealth implements HealthIndicator {

    @Override
    public Health health() {
        return DatabaseFailureLog.lasts(DatabaseFailure.DISK_FULL)
                ? Health.down().build()
                : Health.up().build();
    }
}
