package dev.equipoise.app.run;

import dev.equipoise.app.filter.Condition;
import dev.equipoise.app.filter.SqlCondition;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.StorableTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Finds the runs of a page, in the table {@code run_search} of what runs are filtered and sorted
 * by. Triggers of the database keep that table. Returns ids only, since whole runs are large.
 */
@Component
class RunSearch {

    /** Limit of a query, so that no filter keeps the database busy. */
    private static final int TIMEOUT_SECONDS = 5;

    /** SQLSTATE of a query that was canceled. */
    private static final String CANCELED = "57014";

    private final JdbcClient jdbc;

    RunSearch(DataSource database) {
        var template = new JdbcTemplate(database);
        template.setQueryTimeout(TIMEOUT_SECONDS);
        this.jdbc = JdbcClient.create(template);
    }

    /**
     * Filter of a list of runs; null or empty for all.
     *
     * @param name part of the experiment's name, in upper or lower case
     * @param tag tag of the run
     * @param since earliest queue time, inclusive
     * @param until latest queue time, exclusive
     */
    record Filter(
            @Nullable UUID project,
            @Nullable UUID experiment,
            Set<RunState> states,
            @Nullable String name,
            @Nullable String tag,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable Condition condition) {

        Filter {
            states = Set.copyOf(states);
        }

        static Filter of(Condition condition) {
            return new Filter(null, null, Set.of(), null, null, null, null, condition);
        }
    }

    /**
     * Run with its sort key.
     *
     * @param key as a cursor has it; null for none
     */
    record Found(UUID id, @Nullable String key, int position) {

        static Found of(ResultSet row) throws SQLException {
            return new Found(row.getObject("id", UUID.class), key(row), row.getInt("position"));
        }

        private static @Nullable String key(ResultSet row) throws SQLException {
            return row.getObject("key") instanceof Timestamp
                    ? row.getObject("key", OffsetDateTime.class).toInstant().toString()
                    : row.getString("key");
        }

        Cursor cursor(RunOrder order) {
            return new Cursor(
                    List.of(
                            order.label(),
                            key == null ? "" : Start.VALUE + key,
                            Integer.toString(position),
                            id.toString()));
        }
    }

    /**
     * Position after which a page begins.
     *
     * @param key null if the run there has none
     */
    private record Start(@Nullable Object key, int position, UUID id) {

        /** Begins a key that is there, so that an empty text is one. */
        static final String VALUE = "=";

        static Start of(List<String> keys, RunOrder order) {
            if (!keys.get(0).equals(order.label())) {
                throw new IllegalArgumentException(
                        "the cursor belongs to a list sorted by " + keys.get(0));
            }
            return new Start(
                    keys.get(1).isEmpty() ? null : key(keys.get(1), order),
                    Integer.parseInt(keys.get(2)),
                    UUID.fromString(keys.get(3)));
        }

        private static Object key(String text, RunOrder order) {
            if (!text.startsWith(VALUE)) {
                throw new IllegalArgumentException("no run has the key " + text);
            }
            Object key = order.key(text.substring(VALUE.length()));
            if (key instanceof OffsetDateTime time && !StorableTimes.isStorable(time.toInstant())) {
                throw new IllegalArgumentException("no run has the time " + text);
            }
            return key;
        }
    }

    /** Conditions of a query with their parameters. */
    private static final class Conditions {

        private final List<String> all = new ArrayList<>();
        private final Map<String, Object> parameters = new HashMap<>();

        /** Adds a condition, unless the value of its parameter is null. */
        void add(String condition, String parameter, @Nullable Object value) {
            if (value != null) {
                all.add(condition);
                parameters.put(parameter, value);
            }
        }

        void add(SqlCondition condition) {
            all.add(condition.sql());
            parameters.putAll(condition.parameters());
        }

        void add(Start start, RunOrder order) {
            all.add(order.after(start.key() == null));
            if (start.key() != null) {
                parameters.put("key", start.key());
            }
            parameters.put("position", start.position());
            parameters.put("id", start.id());
        }

        String sql() {
            return all.isEmpty() ? "true" : "(" + String.join(") and (", all) + ")";
        }
    }

    /**
     * Finds a page.
     *
     * @param visible projects whose runs are searched; empty for all
     * @param cursor of the page before; null for the first
     * @throws Problem {@code busy} if the database needs too long
     */
    List<Found> find(
            Optional<Set<UUID>> visible,
            Filter filter,
            RunOrder order,
            @Nullable String cursor,
            int limit) {
        Optional<Start> after = Cursor.read(cursor, keys -> Start.of(keys, order));
        Conditions conditions = conditions(visible, filter);
        after.ifPresent(it -> conditions.add(it, order));
        String sql =
                "select run_id as id, %s as key, position from run_search where %s order by %s limit :limit"
                        .formatted(order.key(), conditions.sql(), order.list());
        try {
            return jdbc.sql(sql)
                    .params(conditions.parameters)
                    .param("limit", limit)
                    .query((row, _) -> Found.of(row))
                    .list();
        } catch (DataAccessException failure) {
            throw isCanceled(failure) ? tooSlow() : failure;
        }
    }

    private static boolean isCanceled(DataAccessException failure) {
        return failure.getMostSpecificCause() instanceof SQLException error
                && CANCELED.equals(error.getSQLState());
    }

    private static Problem tooSlow() {
        return Problem.of(
                ErrorCode.BUSY,
                "The database needs more than %d s for this list: narrow it by project, experiment or time, or shorten the filter"
                        .formatted(TIMEOUT_SECONDS));
    }

    private static Conditions conditions(Optional<Set<UUID>> visible, Filter filter) {
        var conditions = new Conditions();
        conditions.add(
                "project_id = any(:visible)",
                "visible",
                visible.map(it -> it.toArray(UUID[]::new)).orElse(null));
        conditions.add("project_id = :project", "project", filter.project());
        conditions.add("experiment_id = :experiment", "experiment", filter.experiment());
        conditions.add("\"state\" = any(:states)", "states", states(filter));
        conditions.add("strpos(lower(\"experiment\"), lower(:name)) > 0", "name", filter.name());
        conditions.add(":tag = any(\"tag\")", "tag", filter.tag());
        conditions.add("\"queuedAt\" >= :since", "since", atOffset(filter.since()));
        conditions.add("\"queuedAt\" < :until", "until", atOffset(filter.until()));
        if (filter.condition() != null) {
            conditions.add(SqlCondition.of(filter.condition()));
        }
        return conditions;
    }

    private static String @Nullable [] states(Filter filter) {
        return filter.states().isEmpty()
                ? null
                : filter.states().stream().map(RunState::name).toArray(String[]::new);
    }

    private static @Nullable OffsetDateTime atOffset(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    /** Returns whether a run fulfills a condition now. */
    boolean matches(UUID run, Condition condition) {
        SqlCondition sql = SqlCondition.of(condition);
        return jdbc.sql(
                                "select count(*) from run_search where run_id = :run and (%s)"
                                        .formatted(sql.sql()))
                        .params(sql.parameters())
                        .param("run", run)
                        .query(Long.class)
                        .single()
                > 0;
    }
}
