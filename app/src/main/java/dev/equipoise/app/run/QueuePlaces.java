package dev.equipoise.app.run;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Where runs stand in the queue, as it was told last. Beside the runs and not in them, as one that
 * is placed moves all behind it.
 */
@Repository
class QueuePlaces {

    private static final int BATCH = 500;

    private final JdbcClient database;
    private final JdbcOperations batches;

    QueuePlaces(JdbcClient database, JdbcOperations batches) {
        this.database = database;
        this.batches = batches;
    }

    Map<UUID, QueuePlace> all() {
        Map<UUID, QueuePlace> places = new HashMap<>();
        database.sql("select run_id, place, predicted_start from queue_place")
                .query((row, _) -> places.put(row.getObject("run_id", UUID.class), place(row)))
                .list();
        return places;
    }

    /** Of some runs; those that do not wait have none. */
    Map<UUID, QueuePlace> of(Collection<Run> some) {
        List<UUID> waiting =
                some.stream().filter(run -> run.state() == RunState.QUEUED).map(Run::id).toList();
        Map<UUID, QueuePlace> places = new HashMap<>();
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

    /** Two who tell at the same time do so in the same order, and neither waits for the other. */
    void tell(Map<UUID, QueuePlace> changed) {
        batches.batchUpdate(
                """
                insert into queue_place (run_id, place, predicted_start) values (?, ?, ?)
                on conflict (run_id) do update
                set place = excluded.place, predicted_start = excluded.predicted_start
                """,
                changed.keySet().stream().sorted().toList(),
                BATCH,
                (statement, run) -> {
                    QueuePlace place = changed.getOrDefault(run, new QueuePlace(1, null));
                    statement.setObject(1, run);
                    statement.setInt(2, place.place());
                    statement.setTimestamp(3, timestamp(place.predictedStart()));
                });
    }

    /** Those of runs that wait no more. */
    void forget() {
        database.sql(
                        """
                        delete from queue_place
                        where not exists (select from run where run.id = run_id and run.state = 'QUEUED')
                        """)
                .update();
    }

    private static QueuePlace place(ResultSet row) throws SQLException {
        return new QueuePlace(
                row.getInt("place"),
                Optional.ofNullable(row.getTimestamp("predicted_start"))
                        .map(Timestamp::toInstant)
                        .orElse(null));
    }

    private static @Nullable Timestamp timestamp(@Nullable Instant instant) {
        return instant == null ? null : Timestamp.from(instant);
    }
}
