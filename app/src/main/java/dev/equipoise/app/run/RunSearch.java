package dev.equipoise.app.run;

import dev.equipoise.app.page.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Finds the runs of a page: their ids, as whole runs are large. */
@Component
class RunSearch {

    private final JdbcClient jdbc;

    RunSearch(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A run, and where it stands in the list. */
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

    private record Place(double key, int position, UUID id) {

        static Place of(List<String> keys, RunOrder order) {
            if (!keys.get(0).equals(order.label())) {
                throw new IllegalArgumentException("the list was sorted by " + keys.get(0));
            }
            return new Place(
                    number(keys.get(1)),
                    Integer.parseInt(keys.get(2)),
                    UUID.fromString(keys.get(3)));
        }

        /** As PostgreSQL writes it. */
        private static double number(String text) {
            return text.equals("Infinity") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
        }
    }

    /**
     * Finds a page.
     *
     * @param visible the projects whose runs are looked at; none for all
     * @param cursor of the page before; null for the first
     */
    List<Found> find(
            Optional<Set<UUID>> visible,
            RunFilter filter,
            RunOrder order,
            @Nullable String cursor,
            int limit) {
        List<String> rules = new ArrayList<>();
        rules.add("true");
        visible.ifPresent(_ -> rules.add("project_id = any(:visible)"));
        add(rules, filter.project(), "project_id = :project");
        add(rules, filter.experiment(), "experiment_id = :experiment");
        add(rules, filter.states().isEmpty() ? null : filter.states(), "state = any(:states)");
        add(rules, filter.name(), "strpos(lower(experiment_name), lower(:name)) > 0");
        add(rules, filter.tag(), ":tag = any(tags)");
        add(rules, filter.since(), "queued_at >= :since");
        add(rules, filter.until(), "queued_at < :until");
        Optional<Place> after = Cursor.read(cursor, keys -> Place.of(keys, order));
        after.ifPresent(_ ->
                rules.add("(%s, position, id) > (:key, :position, :id)".formatted(order.key())));
        String sql =
                "select id, %s as key, position from run where %s order by key, position, id limit :limit"
                        .formatted(order.key(), String.join(" and ", rules));
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
                        .param("key", after.map(Place::key).orElse(0.0))
                        .param("position", after.map(Place::position).orElse(0))
                        .param("id", after.map(Place::id).orElse(null))
                        .param("limit", limit);
        return statement.query(Found::of).list();
    }

    private static void add(List<String> rules, @Nullable Object value, String rule) {
        if (value != null) {
            rules.add(rule);
        }
    }
}
