package dev.equipoise.app.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How long runs took, from their placement to their end. */
@Repository
class Lengths {

    private static final double MILLIS = 1000;

    private final JdbcClient database;

    Lengths(JdbcClient database) {
        this.database = database;
    }

    /**
     * What the newest completed runs that are like those that are not over took in the median, by
     * their likeness. A lab changes: what is older tells of another one.
     */
    Map<String, Duration> ofThoseLikeOpenOnes() {
        Map<String, Duration> lengths = new HashMap<>();
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
                            : lengths.put(row.getString("likeness"), duration(seconds));
                })
                .list();
        return lengths;
    }

    /** What the newest completed runs took in the median until they trained. */
    Optional<Duration> ofPreparing() {
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
                .map(Lengths::duration);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis((long) Math.ceil(seconds * MILLIS));
    }
}
