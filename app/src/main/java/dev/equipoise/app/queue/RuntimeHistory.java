package dev.equipoise.app.queue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Runtime history: median durations of completed runs, from placement to end. */
@Repository
public class RuntimeHistory {

    private static final double MILLIS = 1000;

    private final JdbcClient database;

    RuntimeHistory(JdbcClient database) {
        this.database = database;
    }

    /**
     * Returns the median duration of the newest completed runs for each workload key of an open
     * run. Older runs do not count, since a lab changes.
     */
    public Map<String, Duration> byWorkloadKey() {
        Map<String, Duration> durations = new HashMap<>();
        database.sql(
                        """
                        select likeness,
                               (select percentile_cont(0.5) within group (order by seconds)
                                from (select extract(epoch from ended_at - placed_at) as seconds
                                      from run as past
                                      where past.state = 'COMPLETED'
                                        and past.preemptions = 0 and past.setbacks = 0
                                        and past.likeness = present.likeness
                                      order by ended_at desc
                                      limit 11) as newest) as seconds
                        from (select distinct likeness
                              from run
                              where state in ('QUEUED', 'PLACED', 'PREPARING', 'RUNNING')
                                and likeness is not null) as present
                        """)
                .query((row, _) -> {
                    double seconds = row.getDouble("seconds");
                    return row.wasNull()
                            ? null
                            : durations.put(row.getString("likeness"), duration(seconds));
                })
                .list();
        return durations;
    }

    /** Returns the median time from placement to start of the newest completed runs. */
    public Optional<Duration> preparation() {
        return database.sql(
                        """
                        select percentile_cont(0.5) within group (order by seconds) as seconds
                        from (select extract(epoch from started_at - placed_at) as seconds
                              from run
                              where state = 'COMPLETED' and preemptions = 0 and setbacks = 0
                              order by ended_at desc
                              limit 11) as newest
                        """)
                .query(Double.class)
                .optional()
                .map(RuntimeHistory::duration);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis((long) Math.ceil(seconds * MILLIS));
    }
}
