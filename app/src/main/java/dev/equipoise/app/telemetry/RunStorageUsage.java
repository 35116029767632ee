package dev.equipoise.app.telemetry;

import dev.equipoise.app.account.ProjectStorage;
import java.util.Collection;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Storage that runs take, in bytes: configurations, epochs, times, curves, traces, execution
 * orders, events, checkpoints and models. Large values are not read for it, since the rows have
 * their sizes. A run that ended an hour ago is counted once, since nothing is added to it.
 */
@Component
class RunStorageUsage implements ProjectStorage {

    /** Bytes of a row besides its large values, index entries included. */
    private static final int BYTES_OF_A_ROW = 150;

    /** Bytes of one run, as an expression in a statement with the run as {@code run}. */
    private static final String OF_RUN =
            """
            (
                select sum(part.bytes + :row)
                from (
                    select pg_column_size(run.configuration) as bytes
                    union all
                    select pg_column_size(updates) from epoch_result where run_id = run.id
                    union all
                    select pg_column_size(phases) from rank_time where run_id = run.id
                    union all
                    select 0 from replica where run_id = run.id
                    union all
                    select 0 from rank_prediction where run_id = run.id
                    union all
                    select pg_column_size(links) + pg_column_size(speeds)
                    from run_measurements where run_id = run.id
                    union all
                    select pg_column_size(packed) from metric_part where run_id = run.id
                    union all
                    select pg_column_size(slices) from trace_part where run_id = run.id
                    union all
                    select pg_column_size(choices) from order_part where run_id = run.id
                    union all
                    select pg_column_size(body) from run_event where run_id = run.id
                    union all
                    select bytes from checkpoint_part where run_id = run.id
                    union all
                    select bytes from run_model where run_id = run.id and removed_at is null
                ) as part
            )
            """;

    private final JdbcClient database;

    RunStorageUsage(JdbcClient database) {
        this.database = database;
    }

    @Override
    public long bytes(UUID project) {
        return database.sql(
                        """
                        select coalesce(sum(case when tally.kept_bytes is null then %s
                                                 else tally.kept_bytes end), 0)
                        from run
                        left join run_tally as tally on tally.run_id = run.id
                        where run.project_id = :project
                        """
                                .formatted(OF_RUN))
                .param("project", project)
                .param("row", BYTES_OF_A_ROW)
                .query(Long.class)
                .single();
    }

    /** Stores the sizes of runs to which nothing is added any more. */
    void storeSizes(Collection<UUID> runs) {
        database.sql(
                        """
                        update run_tally set kept_bytes = %s
                        from run
                        where run.id = run_tally.run_id and run.id in (:runs)
                        """
                                .formatted(OF_RUN))
                .param("runs", runs)
                .param("row", BYTES_OF_A_ROW)
                .update();
    }
}
