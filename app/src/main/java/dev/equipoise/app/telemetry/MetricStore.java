package dev.equipoise.app.telemetry;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.FigureChecks;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunReport.Observed;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Store of metric points, about 1,000 to a row: reported points are appended to the last row of
 * their curve until it is full, so that a run of a million points has about 1,000 rows, however
 * slowly the points arrive. Callers that write must hold the lock of the run.
 */
@Component
public class MetricStore {

    /** Limit of the points of a row. */
    static final int MAX_POINTS = 1_000;

    /** Limit of the metrics that the agents of a run may report. */
    private static final int MAX_METRICS = 50;

    /** Rows read at once: some hundred kB. */
    private static final int ROWS = 64;

    private final JdbcClient database;

    MetricStore(JdbcClient database) {
        this.database = database;
    }

    /**
     * Metric of a run, with the extent of its curve.
     *
     * @param name name of the metric
     * @param rank null for a metric of the whole run
     * @param points number of points
     * @param every current sampling stride, in rounds
     * @param firstStep first round with a point
     * @param lastStep last round with a point
     * @param min least value
     * @param max greatest value
     */
    public record Metric(
            String name,
            @Nullable Integer rank,
            long points,
            long every,
            long firstStep,
            long lastStep,
            double min,
            double max) {}

    /** Last row of a curve. */
    private record Last(long id, int generation, int points, long step, long micros) {}

    /** Creates the counters of a run when it is placed. */
    public void begin(UUID run) {
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
     * Stores points of a placed run. Points beyond the limit of a run are counted as dropped.
     *
     * @return whether the points were stored
     * @throws Problem {@code invalid-request} if they do not follow the points before, or belong to
     *     a metric beyond the limit of a run
     */
    public boolean keep(UUID run, int generation, Observed observed) {
        if (observed.dropped() > 0) {
            drop(run, observed.dropped());
        }
        if (observed.steps().isEmpty() || !count(run, observed.steps().size())) {
            return false;
        }
        store(run, generation, observed);
        return true;
    }

    private void store(UUID run, int generation, Observed observed) {
        Optional<Last> last = last(run, observed);
        if (last.isEmpty()) {
            requireFewMetrics(run, observed.metric());
        }
        Optional<Last> continued = last.filter(it -> it.generation() == generation);
        continued.ifPresent(it -> requireLater(it, observed));
        continued
                .filter(it -> it.points() + observed.steps().size() <= MAX_POINTS)
                .ifPresentOrElse(
                        it -> append(it, observed), () -> insert(run, generation, observed));
    }

    /** Counts points as stored if they fit into the limit of a run, else as dropped. */
    private boolean count(UUID run, int points) {
        int counted =
                database.sql(
                                """
                                update run_tally set points = points + :points
                                where run_id = :run and points + :points <= :most
                                """)
                        .param("run", run)
                        .param("points", points)
                        .param("most", Observed.MAX_POINTS_OF_A_RUN)
                        .update();
        if (counted == 0) {
            drop(run, points);
        }
        return counted > 0;
    }

    /** Counts dropped points; the count ends at its limit, so that no report can exceed 64 bits. */
    private void drop(UUID run, long points) {
        database.sql(
                        """
                        update run_tally set dropped = least(dropped + :points, :most)
                        where run_id = :run
                        """)
                .param("run", run)
                .param("points", points)
                .param("most", FigureChecks.MAX_COUNT)
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
        if (known.size() >= MAX_METRICS && !known.contains(metric)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "a run must have at most %d metrics, but %s exceeds that"
                            .formatted(MAX_METRICS, metric));
        }
    }

    /** Deletes the points after the step to which a run goes back. */
    public void rewind(UUID run, long step) {
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

    /** Returns the metrics that the agents of a run reported, by name and rank. */
    public List<Metric> of(UUID run) {
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

    /** Returns the ranks that have a curve of a metric. */
    public List<Integer> ranks(UUID run, String metric) {
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

    /** Range of steps, both ends included. */
    public record Steps(long first, long last) {

        /** All steps of a run. */
        public static final Steps ALL = new Steps(0, Long.MAX_VALUE);

        /** Returns the least range that holds both. */
        Steps with(Steps other) {
            return new Steps(Math.min(first, other.first), Math.max(last, other.last));
        }
    }

    /** Part of a curve that one generation has reported. */
    record CurvePart(UUID run, String metric, int rank, int generation) {}

    /**
     * Returns points of some curves with one query; no entry for a curve without points in its
     * range.
     *
     * @param ranges steps by curve; rows at the ends of a range have points outside of it, too
     */
    Map<CurvePart, CurvePoints> points(Map<CurvePart, Steps> ranges) {
        List<CurvePart> parts = List.copyOf(ranges.keySet());
        List<Steps> steps = parts.stream().map(ranges::get).toList();
        Map<CurvePart, CurvePoints> points = new HashMap<>();
        database.sql(
                        """
                        select wanted.number, part.packed
                        from unnest(:runs::uuid[], :metrics::text[], :ranks::integer[],
                                    :generations::integer[], :firsts::bigint[], :lasts::bigint[])
                            with ordinality as wanted
                                (run, metric, rank, generation, first, last, number)
                        join metric_part as part
                            on part.run_id = wanted.run and part.metric = wanted.metric
                            and part.rank = wanted.rank and part.generation = wanted.generation
                            and part.last_step >= wanted.first and part.first_step <= wanted.last
                        order by part.id
                        """)
                .param("runs", parts.stream().map(CurvePart::run).toArray(UUID[]::new))
                .param("metrics", parts.stream().map(CurvePart::metric).toArray(String[]::new))
                .param("ranks", parts.stream().map(CurvePart::rank).toArray(Integer[]::new))
                .param(
                        "generations",
                        parts.stream().map(CurvePart::generation).toArray(Integer[]::new))
                .param("firsts", steps.stream().map(Steps::first).toArray(Long[]::new))
                .param("lasts", steps.stream().map(Steps::last).toArray(Long[]::new))
                .query(row -> {
                    CurvePart part = parts.get(row.getInt("number") - 1);
                    PackedPoints.unpack(
                            row.getBytes("packed"),
                            points.computeIfAbsent(part, _ -> new CurvePoints()));
                });
        return points;
    }

    /** Part of the curve of a rank: some steps, from a training time on. */
    private record CurveRange(UUID run, String metric, int rank, Steps steps, long fromMicros) {}

    /**
     * Returns the curve of one rank as far as rows have points in a range of steps that are not
     * earlier than a time; rows at its ends have points outside of it, too. The curve has no points
     * if the rank reported none there.
     *
     * @param fromSeconds training seconds of the rank; may be negative infinity
     */
    public CurvePoints points(UUID run, String metric, int rank, Steps range, double fromSeconds) {
        var wanted = new CurveRange(run, metric, rank, range, (long) Math.floor(fromSeconds * 1e6));
        List<CurveRow> rows = rows(wanted);
        CurvePoints points = new CurvePoints();
        for (int from = 0; from < rows.size(); from += ROWS) {
            read(rows.subList(from, Math.min(from + ROWS, rows.size())), points);
        }
        return points;
    }

    /** Row of a curve with the last step whose point counts. */
    private record CurveRow(long id, long keptTo) {}

    /**
     * Finds the rows of a range. The points of a row end where those of a later row begin, should
     * the run have gone back in between.
     */
    private List<CurveRow> rows(CurveRange range) {
        return database.sql(
                        """
                        select id, kept_to
                        from (select id, first_step, last_micros,
                                     least(last_step,
                                           min(first_step) over (order by id desc
                                               rows between unbounded preceding
                                               and 1 preceding) - 1) as kept_to
                              from metric_part
                              where run_id = :run and metric = :metric and rank = :rank) as part
                        where first_step <= :last and kept_to >= :first
                          and last_micros >= :micros
                        order by id
                        """)
                .param("run", range.run())
                .param("metric", range.metric())
                .param("rank", range.rank())
                .param("first", range.steps().first())
                .param("last", range.steps().last())
                .param("micros", range.fromMicros())
                .query((row, _) -> new CurveRow(row.getLong("id"), row.getLong("kept_to")))
                .list();
    }

    private void read(List<CurveRow> rows, CurvePoints points) {
        database.sql(
                        """
                        select part.packed, wanted.kept_to
                        from unnest(:ids::bigint[], :ends::bigint[]) as wanted (id, kept_to)
                        join metric_part as part on part.id = wanted.id
                        order by part.id
                        """)
                .param("ids", rows.stream().map(CurveRow::id).toArray(Long[]::new))
                .param("ends", rows.stream().map(CurveRow::keptTo).toArray(Long[]::new))
                .query(row -> {
                    PackedPoints.unpack(
                            row.getBytes("packed"), points.upTo(row.getLong("kept_to")));
                });
    }

    /** Returns the number of metric points dropped because the run exceeded its limit. */
    public long dropped(UUID run) {
        return database.sql("select dropped from run_tally where run_id = :run")
                .param("run", run)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }
}
