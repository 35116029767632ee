package dev.equipoise.app.run;

import dev.equipoise.app.page.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Finds the runs of a page. Returns ids only, since whole runs are large. */
@Component
class RunSearch {

    private final JdbcClient jdbc;

    RunSearch(JdbcClient jdbc) {
        this.jdbc = jdbc;
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
            @Nullable Instant until) {

        Filter {
            states = Set.copyOf(states);
        }
    }

    /** Run with its sort key. */
    record Found(UUID id, String key, int position) {

        static Found of(ResultSet row, int number) throws SQLException {
            return new Found(
                    row.getObject("id", UUID.class), row.getString("key"), row.getInt("position"));
        }

        Cursor cursor(RunOrder order) {
            return new Cursor(
                    List.of(order.label(), key, Integer.toString(position), id.toString()));
        }
    }

    private record Start(double key, int position, UUID id) {

        static Start of(List<String> keys, RunOrder order) {
            if (!keys.get(0).equals(order.label())) {
                throw new IllegalArgumentException(
                        "the cursor belongs to a list sorted by " + keys.get(0));
            }
            return new Start(
                    number(keys.get(1)),
                    Integer.parseInt(keys.get(2)),
                    UUID.fromString(keys.get(3)));
        }

        /** Parses a number as PostgreSQL writes it. */
        private static double number(String text) {
            return text.equals("Infinity") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
        }
    }

    /**
     * Finds a page.
     *
     * @param visible projects whose runs are searched; empty for all
     * @param cursor of the page before; null for the first
     */
    List<Found> find(
            Optional<Set<UUID>> visible,
            Filter filter,
            RunOrder order,
            @Nullable String cursor,
            int limit) {
        List<String> conditions = new ArrayList<>();
        conditions.add("true");
        visible.ifPresent(_ -> conditions.add("project_id = any(:visible)"));
        add(conditions, filter.project(), "project_id = :project");
        add(conditions, filter.experiment(), "experiment_id = :experiment");
        add(conditions, filter.states().isEmpty() ? null : filter.states(), "state = any(:states)");
        add(conditions, filter.name(), "strpos(lower(experiment_name), lower(:name)) > 0");
        add(conditions, filter.tag(), ":tag = any(tags)");
        add(conditions, filter.since(), "queued_at >= :since");
        add(conditions, filter.until(), "queued_at < :until");
        Optional<Start> after = Cursor.read(cursor, keys -> Start.of(keys, order));
        after.ifPresent(_ ->
                conditions.add(
                        "(%s, position, id) > (:key, :position, :id)".formatted(order.key())));
        String sql =
                "select id, %s as key, position from run where %s order by key, position, id limit :limit"
                        .formatted(order.key(), String.join(" and ", conditions));
        JdbcClient.StatementSpec statement =
                jdbc.sql(sql)
                        .param("visible", visible.orElse(Set.of()).toArray(UUID[]::new))
                        .param("project", filter.project())
                        .param("experiment", filter.experiment())
                        .param(
                                "states",
                                filter.states().stream().map(RunState::name).toArray(String[]::new))
                        .param("name", filter.name())
                        .param("tag", filter.tag())
                        .param(
                                "since",
                                filter.since() == null
                                        ? null
                                        : filter.since().atOffset(ZoneOffset.UTC))
                        .param(
                                "until",
                                filter.until() == null
                                        ? null
                                        : filter.until().atOffset(ZoneOffset.UTC))
                        .param("key", after.map(Start::key).orElse(0.0))
                        .param("position", after.map(Start::position).orElse(0))
                        .param("id", after.map(Start::id).orElse(null))
                        .param("limit", limit);
        return statement.query(Found::of).list();
    }

    private static void add(List<String> conditions, @Nullable Object value, String condition) {
        if (value != null) {
            conditions.add(condition);
        }
    }
}
