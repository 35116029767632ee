package dev.equipoise.app.worker;

import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.WorkerId;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores samples of the load and the memory of workers, one a minute, and reads them and the
 * changes of state that triggers of the database store. Old samples are thinned: of each ten
 * minutes the first stays after a day, and of each hour after a week.
 */
@Repository
class WorkerSamples {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Changes of state are kept this many times as long as samples. */
    private static final int STATES = 3;

    private final JdbcClient database;
    private final WorkerSettings settings;
    private final Clock clock;

    WorkerSamples(JdbcClient database, WorkerSettings settings, Clock clock) {
        this.database = database;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Stores the sample of a heartbeat if it is the first of its minute.
     *
     * @param before time of the heartbeat before
     */
    void take(WorkerId worker, Heartbeat heartbeat, Instant before, Instant now) {
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        boolean isEmpty = heartbeat.load() == null && heartbeat.usedMemoryBytes() == null;
        if (isEmpty || minute.equals(before.truncatedTo(ChronoUnit.MINUTES))) {
            return;
        }
        database.sql(
                        """
                        insert into worker_sample (worker_id, at, load, used_memory)
                        values (:worker, :at, :load, :memory)
                        on conflict do nothing
                        """)
                .param("worker", worker.value())
                .param("at", Timestamp.from(minute))
                .param("load", heartbeat.load())
                .param("memory", heartbeat.usedMemoryBytes())
                .update();
    }

    /** Returns the samples of a worker, oldest first. */
    List<WorkerSample> between(WorkerId worker, Instant from, Instant to) {
        return database.sql(
                        """
                        select at, load, used_memory::double precision as memory from worker_sample
                        where worker_id = :worker and at >= :from and at < :to order by at
                        """)
                .param("worker", worker.value())
                .param("from", Timestamp.from(from))
                .param("to", Timestamp.from(to))
                .query((row, _) ->
                        new WorkerSample(
                                row.getTimestamp("at").toInstant(),
                                row.getObject("load", Double.class),
                                row.getObject("memory", Double.class)))
                .list();
    }

    /**
     * Returns the newest changes of state of a worker before a time, newest first.
     *
     * @param limit number of changes at most
     */
    List<StateChange> changes(WorkerId worker, Instant to, int limit) {
        return database.sql(
                        """
                        select at, state, cordon from worker_state_change
                        where worker_id = :worker and at < :to order by at desc limit :limit
                        """)
                .param("worker", worker.value())
                .param("to", Timestamp.from(to))
                .param("limit", limit)
                .query((row, _) ->
                        new StateChange(
                                row.getTimestamp("at").toInstant(),
                                WorkerState.valueOf(row.getString("state")),
                                Cordon.valueOf(row.getString("cordon"))))
                .list();
    }

    /** Thins old samples, and deletes samples and changes of state that are too old. */
    @Scheduled(fixedDelayString = "PT1H", initialDelayString = "PT10M")
    @Transactional
    public void thin() {
        Instant now = clock.instant();
        deleteSamples(now.minus(settings.history()));
        deleteStates(now.minus(settings.history().multipliedBy(STATES)));
        thin(now.minus(WEEK), now.minus(DAY), TEN_MINUTES);
        thin(now.minus(settings.history()), now.minus(WEEK), HOUR);
    }

    private void deleteSamples(Instant before) {
        database.sql("delete from worker_sample where at < :before")
                .param("before", Timestamp.from(before))
                .update();
    }

    /** Keeps the last change, which tells the state from then on. */
    private void deleteStates(Instant before) {
        database.sql(
                        """
                        delete from worker_state_change as it
                        where at < :before and exists (
                            select from worker_state_change as later
                            where later.worker_id = it.worker_id and later.at > it.at
                              and later.at <= :before)
                        """)
                .param("before", Timestamp.from(before))
                .update();
    }

    /** Keeps the first sample of each step. */
    private void thin(Instant from, Instant to, Duration step) {
        database.sql(
                        """
                        delete from worker_sample as it
                        where at >= :from and at < :to and exists (
                            select from worker_sample as earlier
                            where earlier.worker_id = it.worker_id and earlier.at < it.at
                              and earlier.at >= date_bin(
                                  make_interval(secs => :step), it.at, timestamptz 'epoch'))
                        """)
                .param("from", Timestamp.from(from))
                .param("to", Timestamp.from(to))
                .param("step", step.toSeconds())
                .update();
    }
}
