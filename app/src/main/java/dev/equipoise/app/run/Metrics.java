package dev.equipoise.app.run;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.AgentEvent.Observed;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Where the points of curves are kept, some thousand to a row: what is reported goes to the end of
 * the last one, as long as that has room, so that a run of a million points has about a thousand
 * rows however slowly they came. Whoever keeps some holds the run.
 */
@Component
class Metrics {

    /** The points of a row. */
    static final int MOST_POINTS = 1_000;

    /** That the agents of a run may name. */
    private static final int MOST_METRICS = 50;

    /** Rows read at once: some hundred kilobytes. */
    private static final int ROWS = 64;

    private final JdbcClient database;

    Metrics(JdbcClient database) {
        this.database = database;
    }

    /**
     * A curve that there is.
     *
     * @param rank null where it is of the run as a whole
     * @param every there is a point each so many rounds, at present
     * @param min the least value
     * @param max the greatest value
     */
    record Metric(
            String name,
            @Nullable Integer rank,
            long points,
            long every,
            long firstStep,
            long lastStep,
            double min,
            double max) {}

    /** The end of a curve. */
    private record Last(long id, int generation, int points, long step, long micros) {}

    /** Begins to count, of a run that is placed. */
    void begin(UUID run) {
        database.sql(
                        """
                        insert into run_tally
                            (run_id, points, dropped, fleeting_events, forgotten_to, notes)
                        values (:run, 0, 0, 0, 0, 0)
                        on conflict do nothing
                        """)
                .param("run", run)
                .update();
    }

    /**
     * Keeps points of a placed run, unless it has as many as are kept already: then they count as
     * dropped.
     *
     * @return whether there was room
     * @throws Problem {@code invalid-request} where they do not follow those before, or are of one
     *     metric more than a run has
     */
    boolean keep(UUID run, int generation, Observed observed) {
        if (observed.dropped() > 0) {
            drop(run, observed.dropped());
        }
        if (observed.steps().isEmpty() || !count(run, observed.steps().size())) {
            return false;
        }
        Optional<Last> last = last(run, observed);
        if (last.isEmpty()) {
            requireFewMetrics(run, observed.metric());
        }
        Optional<Last> continued = last.filter(it -> it.generation() == generation);
        continued.ifPresent(it -> requireLater(it, observed));
        continued
                .filter(it -> it.points() + observed.steps().size() <= MOST_POINTS)
                .ifPresentOrElse(
                        it -> append(it, observed), () -> insert(run, generation, observed));
        return true;
    }

    /** Whether there is room for so many more, which are counted then; else they are dropped. */
    private boolean count(UUID run, int points) {
        int counted =
                database.sql(
                                """
                                update run_tally set points = points + :points
                                where run_id = :run and points + :points <= :most
                                """)
                        .param("run", run)
                        .param("points", points)
                        .param("most", Observed.MOST_POINTS_OF_A_RUN)
                        .update();
        if (counted == 0) {
            drop(run, points);
        }
        return counted > 0;
    }

    private void drop(UUID run, long points) {
        database.sql("update run_tally set dropped = dropped + :points where run_id = :run")
                .param("run", run)
                .param("points", points)
                .update();
    }

    private Optional<Last> last(UUID run, Observed observed) {
        return database.sql(
                        """
                        select id, generation, points, last_step as step, last_micros as micros
                        from metric_part
                        where run_id = :run and metric = :metric and rank = :rank
                        order by id desc limit 1
                        """)
                .param("run", run)
                .param("metric", observed.metric())
                .param("rank", observed.rank())
                .query(Last.class)
                .optional();
    }

    private void requireFewMetrics(UUID run, String metric) {
        List<String> known =
                database.sql("select distinct metric from metric_part where run_id = :run")
                        .param("run", run)
                        .query((row, _) -> row.getString("metric"))
                        .list();
        if (known.size() >= MOST_METRICS && !known.contains(metric)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "a run must have at most %d metrics, but %s is one more"
                            .formatted(MOST_METRICS, metric));
        }
    }

    /** Forgets the points after a step of a run that goes back to it. */
    void rewind(UUID run, long step) {
        database.sql("delete from metric_part where run_id = :run and first_step > :step")
                .param("run", run)
                .param("step", step)
                .update();
        database.sql(
                        """
                        select id, packed from metric_part
                        where run_id = :run and last_step > :step
                        """)
                .param("run", run)
                .param("step", step)
                .query((row, _) -> {
                    var kept = new CurvePoints();
                    PackedPoints.unpack(row.getBytes("packed"), kept.upTo(step));
                    return Map.entry(row.getLong("id"), kept);
                })
                .list()
                .forEach(it -> replace(it.getKey(), it.getValue()));
        database.sql(
                        """
                        update run_tally
                        set points = (select coalesce(sum(points), 0) from metric_part
                                      where run_id = :run)
                        where run_id = :run
                        """)
                .param("run", run)
                .update();
    }

    private void replace(long part, CurvePoints kept) {
        int last = kept.size() - 1;
        database.sql(
                        """
                        update metric_part
                        set points = :points, last_step = :lastStep, last_micros = :lastMicros,
                            least = :least, greatest = :greatest, packed = :packed
                        where id = :id
                        """)
                .param("id", part)
                .param("points", kept.size())
                .param("lastStep", kept.step(last))
                .param("lastMicros", PackedPoints.micros(kept.seconds(last)))
                .param("least", kept.least())
                .param("greatest", kept.greatest())
                .param("packed", PackedPoints.pack(kept))
                .update();
    }

    private static void requireLater(Last last, Observed observed) {
        if (observed.steps().getFirst() <= last.step()
                || PackedPoints.micros(observed.seconds().getFirst()) < last.micros()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "points of %s must follow step %d, but began with %d"
                            .formatted(
                                    observed.metric(), last.step(), observed.steps().getFirst()));
        }
    }

    private void append(Last last, Observed observed) {
        database.sql(
                        """
                        update metric_part
                        set points = points + :points, every = :every, last_step = :lastStep,
                            last_micros = :lastMicros, least = least(least, :least),
                            greatest = greatest(greatest, :greatest), packed = packed || :packed
                        where id = :id
                        """)
                .param("id", last.id())
                .param("points", observed.steps().size())
                .param("every", observed.every())
                .param("lastStep", observed.steps().getLast())
                .param("lastMicros", PackedPoints.micros(observed.seconds().getLast()))
                .param("least", Collections.min(observed.values()))
                .param("greatest", Collections.max(observed.values()))
                .param("packed", PackedPoints.pack(last.step(), last.micros(), observed))
                .update();
    }

    private void insert(UUID run, int generation, Observed observed) {
        database.sql(
                        """
                        insert into metric_part
                            (run_id, metric, rank, generation, points, every, first_step,
                             last_step, last_micros, least, greatest, packed)
                        values (:run, :metric, :rank, :generation, :points, :every, :firstStep,
                                :lastStep, :lastMicros, :least, :greatest, :packed)
                        """)
                .param("run", run)
                .param("metric", observed.metric())
                .param("rank", observed.rank())
                .param("generation", generation)
                .param("points", observed.steps().size())
                .param("every", observed.every())
                .param("firstStep", observed.steps().getFirst())
                .param("lastStep", observed.steps().getLast())
                .param("lastMicros", PackedPoints.micros(observed.seconds().getLast()))
                .param("least", Collections.min(observed.values()))
                .param("greatest", Collections.max(observed.values()))
                .param("packed", PackedPoints.pack(0, 0, observed))
                .update();
    }

    /** The curves of which the agents of a run have told, by name and rank. */
    List<Metric> of(UUID run) {
        return database.sql(
                        """
                        select metric, rank, sum(points) as points, max(every) as every,
                               min(first_step) as first_step, max(last_step) as last_step,
                               min(least) as least, max(greatest) as greatest
                        from metric_part
                        where run_id = :run
                        group by metric, rank
                        order by metric, rank
                        """)
                .param("run", run)
                .query((row, _) ->
                        new Metric(
                                row.getString("metric"),
                                row.getInt("rank"),
                                row.getLong("points"),
                                row.getLong("every"),
                                row.getLong("first_step"),
                                row.getLong("last_step"),
                                row.getDouble("least"),
                                row.getDouble("greatest")))
                .list();
    }

    /** Whose curves of a metric there are. */
    List<Integer> ranks(UUID run, String metric) {
        return database.sql(
                        """
                        select distinct rank from metric_part
                        where run_id = :run and metric = :metric
                        order by rank
                        """)
                .param("run", run)
                .param("metric", metric)
                .query((row, _) -> row.getInt("rank"))
                .list();
    }

    /** The points of a curve. */
    CurvePoints points(UUID run, String metric, int rank) {
        CurvePoints points = new CurvePoints();
        List<Long> rows;
        long after = 0;
        do {
            rows = read(run, metric, rank, after, points);
            after = rows.isEmpty() ? after : rows.getLast();
        } while (rows.size() == ROWS);
        return points;
    }

    private List<Long> read(UUID run, String metric, int rank, long after, CurvePoints points) {
        return database.sql(
                        """
                        select id, packed from metric_part
                        where run_id = :run and metric = :metric and rank = :rank and id > :after
                        order by id limit :rows
                        """)
                .param("run", run)
                .param("metric", metric)
                .param("rank", rank)
                .param("after", after)
                .param("rows", ROWS)
                .query((row, _) -> {
                    PackedPoints.unpack(row.getBytes("packed"), points);
                    return row.getLong("id");
                })
                .list();
    }

    /** How many points of a run were dropped. */
    long dropped(UUID run) {
        return database.sql("select dropped from run_tally where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }
}
