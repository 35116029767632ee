package dev.equipoise.app.run;

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
 * Settles runs that have been over for a while: what was told of them for those who followed goes,
 * as curves and epochs have it, and what is left is counted. Who follows a run to its end, by
 * whichever instance, has read it by then. Of a run that was never placed there is nothing to
 * settle but its last reasons to wait.
 */
@Component
class OldRuns {

    static final Duration AFTER = Duration.ofHours(1);

    /** So that no transaction is long; the next follow with the next pass. */
    private static final int MOST_AT_ONCE = 100;

    private final JdbcClient database;
    private final RunEvents events;
    private final StoredFigures figures;
    private final Clock clock;

    OldRuns(JdbcClient database, RunEvents events, StoredFigures figures, Clock clock) {
        this.database = database;
        this.events = events;
        this.figures = figures;
        this.clock = clock;
    }

    @Scheduled(fixedDelayString = "PT1M")
    @Transactional
    void settle() {
        List<UUID> old = claim();
        if (!old.isEmpty()) {
            events.forgetFleeting(old);
            figures.settle(old);
        }
    }

    /** Those that another instance settles at this moment are left to it. */
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
                .param("before", Timestamp.from(clock.instant().minus(AFTER)))
                .param("most", MOST_AT_ONCE)
                .query((row, _) -> row.getObject("run_id", UUID.class))
                .list();
    }
}
