package dev.equipoise.app.queue;

import dev.equipoise.protocol.RunId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Store of the published queue positions. They have a table of their own, since each placement
 * moves all runs behind it.
 */
@Repository
public class QueuePositions {

    private static final int BATCH = 500;

    private final JdbcClient database;
    private final JdbcOperations batches;

    QueuePositions(JdbcClient database, JdbcOperations batches) {
        this.database = database;
        this.batches = batches;
    }

    private Map<UUID, QueuePosition> all() {
        Map<UUID, QueuePosition> places = new HashMap<>();
        database.sql("select run_id, place, predicted_start from queue_place")
                .query((row, _) -> places.put(row.getObject("run_id", UUID.class), place(row)))
                .list();
        return places;
    }

    /** Returns the positions of some queued runs. */
    public Map<UUID, QueuePosition> of(Collection<UUID> waiting) {
        Map<UUID, QueuePosition> places = new HashMap<>();
        if (!waiting.isEmpty()) {
            database.sql(
                            """
                            select run_id, place, predicted_start from queue_place where run_id in (:runs)
                            """)
                    .param("runs", waiting)
                    .query((row, _) -> places.put(row.getObject("run_id", UUID.class), place(row)))
                    .list();
        }
        return places;
    }

    /**
     * Publishes the positions that differ enough from the published ones, and deletes those of runs
     * that are no longer queued.
     */
    @Transactional
    public void publish(Map<RunId, QueuePosition> now, Instant asOf) {
        Map<UUID, QueuePosition> published = all();
        Map<UUID, QueuePosition> news = new HashMap<>();
        now.forEach((run, place) -> {
            if (place.isNews(published.get(run.value()), asOf)) {
                news.put(run.value(), place);
            }
        });
        if (!news.isEmpty()) {
            store(news);
        }
        if (published.size() + news.size() > now.size()) {
            deleteStale();
        }
    }

    /**
     * Stores positions in ascending order of run ids, so that two concurrent calls do not deadlock.
     */
    private void store(Map<UUID, QueuePosition> changed) {
        batches.batchUpdate(
                """
                insert into queue_place (run_id, place, predicted_start) values (?, ?, ?)
                on conflict (run_id) do update
                set place = excluded.place, predicted_start = excluded.predicted_start
                """,
                changed.keySet().stream().sorted().toList(),
                BATCH,
                (statement, run) -> {
                    QueuePosition place = changed.getOrDefault(run, new QueuePosition(1, null));
                    statement.setObject(1, run);
                    statement.setInt(2, place.place());
                    statement.setTimestamp(3, timestamp(place.predictedStart()));
                });
    }

    /** Deletes the positions of runs that are no longer queued. */
    private void deleteStale() {
        database.sql(
                        """
                        delete from queue_place
                        where not exists (select from run where run.id = run_id and run.state = 'QUEUED')
                        """)
                .update();
    }

    private static QueuePosition place(ResultSet row) throws SQLException {
        return new QueuePosition(
                row.getInt("place"),
                Optional.ofNullable(row.getTimestamp("predicted_start"))
                        .map(Timestamp::toInstant)
                        .orElse(null));
    }

    private static @Nullable Timestamp timestamp(@Nullable Instant instant) {
        return instant == null ? null : Timestamp.from(instant);
    }
}
