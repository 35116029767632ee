package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.RunReport.Observed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Log of run events in their order. An event is written in the transaction of the change by the
 * holder of the run's lock, so that a reader that sees an event of a run has seen all before it.
 */
@Component
public class EventLog {

    /** Type of the events whose points are in the metric store. */
    public static final String METRICS = "metrics";

    /** Limit of the short-lived events of a run. */
    static final int MAX_FLEETING = 2_000;

    /** Short-lived events that are deleted at once. */
    private static final int DELETED_AT_ONCE = 500;

    /** Limit of the wait reasons of a run. */
    private static final int MAX_WAITING = 100;

    private static final Duration BETWEEN_PROGRESS = Duration.ofSeconds(1);

    private final JdbcClient database;
    private final PointEvents points;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    EventLog(
            JdbcClient database,
            PointEvents points,
            ApplicationEventPublisher events,
            Clock clock) {
        this.database = database;
        this.points = points;
        this.events = events;
        this.clock = clock;
    }

    /** Event: a run event was written. Published in the transaction that writes it. */
    record Written() {}

    /**
     * Event to append.
     *
     * @param isFleeting whether newer events supersede it, so that it is kept for a short time only
     * @param body JSON, in one line
     */
    public record Entry(String type, boolean isFleeting, String body) {}

    /**
     * Stored run event.
     *
     * @param id grows with each event of a run
     * @param body JSON, in one line
     */
    public record Stored(UUID run, long id, Instant at, String type, String body) {

        /** Returns the event with another body. */
        public Stored with(String otherBody) {
            return new Stored(run, id, at, type, otherBody);
        }

        private static Stored of(ResultSet row, int number) throws SQLException {
            return new Stored(
                    row.getObject("run_id", UUID.class),
                    row.getLong("id"),
                    row.getTimestamp("at").toInstant(),
                    row.getString("type"),
                    row.getString("body"));
        }
    }

    /** Appends an event of a run that the caller has locked. */
    public void append(UUID run, Entry entry) {
        append(List.of(run), entry);
        if (entry.isFleeting()) {
            count(run);
        }
    }

    /** Appends the event of points that the metric store has kept. */
    public void append(UUID run, int generation, Observed observed) {
        append(run, new Entry(METRICS, true, points.body(generation, observed)));
    }

    /**
     * Appends the same event to many runs that the caller has locked or created, in their order. It
     * does not count towards the limit of short-lived events.
     */
    public void append(List<UUID> runs, Entry entry) {
        database.sql(
                        """
                        insert into run_event (run_id, at, type, fleeting, body)
                        select run, :at, :type, :fleeting, :body
                        from unnest(string_to_array(:runs, ',')::uuid[])
                            with ordinality as given (run, number)
                        order by number
                        """)
                .param("runs", joined(runs))
                .param("at", now())
                .param("type", entry.type())
                .param("fleeting", entry.isFleeting())
                .param("body", entry.body())
                .update();
        events.publishEvent(new Written());
    }

    /** Counts a note of a placed run; returns false if the run has reached a limit of notes. */
    public boolean countNote(UUID run, int most) {
        return database.sql(
                                """
                                update run_tally set notes = notes + 1
                                where run_id = :run and notes < :most
                                """)
                        .param("run", run)
                        .param("most", most)
                        .update()
                > 0;
    }

    /** Whether a progress event of a placed run is due; the caller then appends it. */
    public boolean isProgressDue(UUID run) {
        Instant now = clock.instant();
        return database.sql(
                                """
                                update run_tally set progress_at = :now
                                where run_id = :run
                                  and (progress_at is null or progress_at <= :before)
                                """)
                        .param("run", run)
                        .param("now", Timestamp.from(now))
                        .param("before", Timestamp.from(now.minus(BETWEEN_PROGRESS)))
                        .update()
                > 0;
    }

    private void count(UUID run) {
        database.sql(
                        """
                        update run_tally set fleeting_events = fleeting_events + 1
                        where run_id = :run
                        returning fleeting_events
                        """)
                .param("run", run)
                .query(Long.class)
                .optional()
                .filter(count -> count > MAX_FLEETING && count % DELETED_AT_ONCE == 0)
                .ifPresent(_ -> deleteOldFleeting(run));
    }

    private void deleteOldFleeting(UUID run) {
        database.sql(
                        """
                        with oldest as (
                            select id from run_event
                            where run_id = :run and fleeting
                            order by id desc offset :most limit 1
                        ), gone as (
                            delete from run_event
                            where run_id = :run and fleeting
                              and id <= (select id from oldest)
                        )
                        update run_tally set forgotten_to = (select id from oldest)
                        where run_id = :run and exists (select from oldest)
                        """)
                .param("run", run)
                .param("most", MAX_FLEETING)
                .update();
    }

    /** Deletes the short-lived events of ended runs. */
    void deleteFleeting(Collection<UUID> runs) {
        database.sql(
                        """
                        with gone as (
                            delete from run_event
                            where run_id in (:runs) and fleeting
                            returning run_id, id
                        )
                        update run_tally set forgotten_to = newest.id
                        from (select run_id, max(id) as id from gone group by run_id) as newest
                        where run_tally.run_id = newest.run_id
                        """)
                .param("runs", runs)
                .update();
    }

    /**
     * Deletes all but the newest 100 wait reasons of each run: a run may wait for days, and its
     * reason changes with every agent that joins or leaves. The type is a literal, since a plan for
     * any type could not use the partial index on this one.
     */
    public void deleteOldWaiting(Collection<UUID> runs) {
        database.sql(
                        """
                        delete from run_event as event
                        using unnest(string_to_array(:runs, ',')::uuid[]) as given (run)
                        cross join lateral (
                            select id from run_event
                            where run_id = given.run and type = 'waiting'
                            order by id desc offset :most limit 1
                        ) as oldest
                        where event.run_id = given.run
                          and event.type = 'waiting' and event.id <= oldest.id
                        """)
                .param("runs", joined(runs))
                .param("most", MAX_WAITING)
                .update();
    }

    /** Returns the events of a run after an id. */
    public List<Stored> after(UUID run, long id, int limit) {
        return after(Map.of(run, id), limit);
    }

    /** Returns the events of some types, not metrics, of a run after an id. */
    public List<Stored> after(UUID run, long id, Collection<String> types, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and id > :id and type in (:types)
                        order by id limit :limit
                        """)
                .param("run", run)
                .param("id", id)
                .param("types", types)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /** Returns the events of some types, not metrics, of a run before an id, newest first. */
    public List<Stored> before(UUID run, long id, Collection<String> types, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and id < :id and type in (:types)
                        order by id desc limit :limit
                        """)
                .param("run", run)
                .param("id", id)
                .param("types", types)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /** Returns the times at which all ranks had reported the epochs of a run. */
    public EpochTimes epochTimes(UUID run) {
        return EpochTimes.of(
                database.sql(
                                """
                                select (body::jsonb ->> 'epoch')::int as epoch, at from run_event
                                where run_id = :run and type = 'epoch'
                                order by id
                                """)
                        .param("run", run)
                        .query((row, _) ->
                                new EpochTimes.Report(
                                        row.getInt("epoch"), row.getTimestamp("at").toInstant()))
                        .list());
    }

    /**
     * Returns new events of many runs, those of each run in their order.
     *
     * @param known last known event id by run
     * @param limit limit of the events of each run
     */
    List<Stored> after(Map<UUID, Long> known, int limit) {
        return points.withPoints(stored(known, limit));
    }

    private List<Stored> stored(Map<UUID, Long> known, int limit) {
        return database.sql(
                        """
                        select event.run_id, event.id, event.at, event.type, event.body
                        from unnest(
                                 string_to_array(:runs, ',')::uuid[],
                                 string_to_array(:known, ',')::bigint[]) as watched (run, known)
                        cross join lateral (
                            select * from run_event
                            where run_id = watched.run and id > watched.known
                            order by id limit :limit
                        ) as event
                        order by event.id
                        """)
                .param("runs", joined(known.keySet()))
                .param("known", joined(known.values()))
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    private static String joined(Collection<?> items) {
        return items.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns the id of the last event of a run; 0 if there is none. */
    public long last(UUID run) {
        return database.sql("select coalesce(max(id), 0) from run_event where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .single();
    }

    /** Returns the id of the last deleted short-lived event of a run; 0 if there is none. */
    public long forgottenTo(UUID run) {
        return database.sql("select forgotten_to from run_tally where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    private Timestamp now() {
        return Timestamp.from(clock.instant());
    }
}
