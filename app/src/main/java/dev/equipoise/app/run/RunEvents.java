package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent;
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
import tools.jackson.databind.json.JsonMapper;

/**
 * What happened to runs, in its order. It is written in the transaction of the change by whoever
 * holds the run, so that those who see an event of a run have seen all before it.
 */
@Component
class RunEvents {

    /** The fleeting events of a run that are kept. */
    static final int MOST_FLEETING = 2_000;

    /** Behind them a hundred are the service's own. */
    static final int MOST_NOTES_OF_AGENTS = AgentEvent.Noted.MOST_OF_A_RUN - 100;

    /** How many more there are before the oldest go, all at once. */
    private static final int FORGOTTEN_AT_ONCE = 500;

    /** The reasons to wait that are kept of a run. */
    private static final int MOST_WAITING = 100;

    private static final Duration BETWEEN_PROGRESS = Duration.ofSeconds(1);

    private final JdbcClient database;
    private final JsonMapper json;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    RunEvents(JdbcClient database, JsonMapper json, ApplicationEventPublisher events, Clock clock) {
        this.database = database;
        this.json = json;
        this.events = events;
        this.clock = clock;
    }

    /** Something was told; published in the transaction that tells it. */
    record Written() {}

    /**
     * An event as it is stored.
     *
     * @param body JSON, in one line
     */
    record Stored(UUID run, long id, Instant at, String type, String body) {

        private static Stored of(ResultSet row, int number) throws SQLException {
            return new Stored(
                    row.getObject("run_id", UUID.class),
                    row.getLong("id"),
                    row.getTimestamp("at").toInstant(),
                    row.getString("type"),
                    row.getString("body"));
        }
    }

    /** Tells of a run that the caller holds. */
    void tell(UUID run, RunEvent event) {
        database.sql(
                        """
                        insert into run_event (run_id, at, type, fleeting, body)
                        values (:run, :at, :type, :fleeting, :body)
                        """)
                .param("run", run)
                .param("at", now())
                .param("type", event.type())
                .param("fleeting", event.isFleeting())
                .param("body", json.writeValueAsString(event))
                .update();
        if (event.isFleeting()) {
            count(run);
        }
        events.publishEvent(new Written());
    }

    /** Tells the same of many runs, those in the state that they have come to by it alone. */
    void tell(Collection<UUID> runs, RunState state, RunEvent event) {
        if (runs.isEmpty()) {
            return;
        }
        database.sql(
                        """
                        insert into run_event (run_id, at, type, fleeting, body)
                        select id, :at, :type, :fleeting, :body from run
                        where id in (:runs) and state = :state
                        order by queued_at, position
                        """)
                .param("runs", runs)
                .param("state", state.name())
                .param("at", now())
                .param("type", event.type())
                .param("fleeting", event.isFleeting())
                .param("body", json.writeValueAsString(event))
                .update();
        if (event instanceof RunEvent.Waits) {
            forgetWaiting(runs);
        }
        events.publishEvent(new Written());
    }

    /**
     * Tells of a placed run what somebody has noted, unless there is as much as is kept of it. The
     * last places are the service's own, so that no rank that talks much takes all.
     */
    void note(UUID run, RunEvent.Noted noted) {
        int most = noted.rank() == null ? AgentEvent.Noted.MOST_OF_A_RUN : MOST_NOTES_OF_AGENTS;
        int kept =
                database.sql(
                                """
                                update run_tally set notes = notes + 1
                                where run_id = :run and notes < :most
                                """)
                        .param("run", run)
                        .param("most", most)
                        .update();
        if (kept > 0) {
            tell(run, noted);
        }
    }

    /** Whether it is time to tell how far a placed run is; the caller does so then. */
    boolean mayTellProgress(UUID run) {
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
                .filter(count -> count > MOST_FLEETING && count % FORGOTTEN_AT_ONCE == 0)
                .ifPresent(_ -> forget(run));
    }

    private void forget(UUID run) {
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
                .param("most", MOST_FLEETING)
                .update();
    }

    /** What is fleeting of runs that are over. */
    void forgetFleeting(Collection<UUID> runs) {
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

    /** A run may wait for days, while the reason changes with every agent that comes or goes. */
    private void forgetWaiting(Collection<UUID> runs) {
        database.sql(
                        """
                        delete from run_event as event
                        using run
                        cross join lateral (
                            select id from run_event
                            where run_id = run.id and type = 'waiting'
                            order by id desc offset :most limit 1
                        ) as oldest
                        where run.id in (:runs) and event.run_id = run.id
                          and event.type = 'waiting' and event.id <= oldest.id
                        """)
                .param("runs", runs)
                .param("most", MOST_WAITING)
                .update();
    }

    /** What follows an event of a run. */
    List<Stored> after(UUID run, long id, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and id > :id
                        order by id limit :limit
                        """)
                .param("run", run)
                .param("id", id)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /** What follows an event of a run, of that which can be told in words. */
    List<Stored> readableAfter(UUID run, long id, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and id > :id and type not in ('progress', 'metrics')
                        order by id limit :limit
                        """)
                .param("run", run)
                .param("id", id)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /** What came before an event of a run, of that which can be told in words, the last first. */
    List<Stored> readableBefore(UUID run, long id, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and id < :id and type not in ('progress', 'metrics')
                        order by id desc limit :limit
                        """)
                .param("run", run)
                .param("id", id)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /** Between which states a run went, and why. */
    List<Stored> turns(UUID run, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and type in ('state', 'placed', 'set-back', 'failure')
                        order by id limit :limit
                        """)
                .param("run", run)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /** When a run was placed before an event of it, and how, the newest first. */
    List<Stored> placements(UUID run, long before, int limit) {
        return database.sql(
                        """
                        select run_id, id, at, type, body from run_event
                        where run_id = :run and id < :before and type = 'placed'
                        order by id desc limit :limit
                        """)
                .param("run", run)
                .param("before", before)
                .param("limit", limit)
                .query(Stored::of)
                .list();
    }

    /**
     * What follows of many runs at once, each run's in its order.
     *
     * @param known by run, the last event that is known
     * @param limit of each run
     */
    List<Stored> after(Map<UUID, Long> known, int limit) {
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

    /** The last event of a run; 0 where there is none. */
    long last(UUID run) {
        return database.sql("select coalesce(max(id), 0) from run_event where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .single();
    }

    /** The last fleeting event of a run that was forgotten; 0 where none was. */
    long forgottenTo(UUID run) {
        return database.sql("select forgotten_to from run_tally where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    RunEvent read(Stored stored) {
        return json.readValue(stored.body(), RunEvent.class);
    }

    private Timestamp now() {
        return Timestamp.from(clock.instant());
    }
}
