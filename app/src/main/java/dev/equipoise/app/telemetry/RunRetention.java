package dev.equipoise.app.telemetry;

import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Cleans up runs an hour after their end: deletes their short-lived events, whose content curves
 * and epochs have as well, and stores their size. Readers that follow a run to its end, over any
 * instance, have read the events by then. A run that was never placed has only its last wait
 * reasons to delete.
 */
@Component
class RunRetention {

    static final Duration DELAY = Duration.ofHours(1);

    /**
     * Limit of the runs of a transaction, so that none is long; the others follow in the next pass.
     */
    private static final int MAX_AT_ONCE = 100;

    private final JdbcClient database;
    private final EventLog events;
    private final RunStorageUsage storageUsage;
    private final Clock clock;

    RunRetention(JdbcClient database, EventLog events, RunStorageUsage storageUsage, Clock clock) {
        this.database = database;
        this.events = events;
        this.storageUsage = storageUsage;
        this.clock = clock;
    }

    @Scheduled(fixedDelayString = "PT1M")
    @Transactional
    void cleanUp() {
        List<UUID> ended = claim();
        if (!ended.isEmpty()) {
            events.deleteFleeting(ended);
            storageUsage.storeSizes(ended);
        }
    }

    /** Locks ended runs; skips those that another instance cleans up at this moment. */
    private List<UUID> claim() {
        return database.sql(
                        """
                        select tally.run_id
                        from run_tally as tally
                        join run on run.id = tally.run_id
                        where tally.kept_bytes is null and run.ended_at < :before
                        limit :most
                        for update of tally skip locked
                        """)
                .param("before", Timestamp.from(clock.instant().minus(DELAY)))
                .param("most", MAX_AT_ONCE)
                .query((row, _) -> row.getObject("run_id", UUID.class))
                .list();
    }
}
