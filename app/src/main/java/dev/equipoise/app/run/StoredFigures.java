package dev.equipoise.app.run;

import dev.equipoise.app.account.Stored;
import java.util.Collection;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * How much room runs take: what they are, epochs, curves, traces, what chance decided, events, and
 * checkpoints. What is long is not read for it: the sizes are in the rows. Of a run that has been
 * over for long it was counted once, as nothing is added to it.
 */
@Component
class StoredFigures implements Stored {

    /** Of a row, besides what is long in it, and of its place in indexes. */
    private static final int BYTES_OF_A_ROW = 150;

    /** Of one run, in a statement that has it as {@code run}. */
    private static final String OF_RUN =
            """
            (
                select sum(part.bytes + :row)
                from (
                    select pg_column_size(run.configuration) as bytes
                    union all
                    select pg_column_size(updates) from epoch_result where run_id = run.id
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
                ) as part
            )
            """;

    private final JdbcClient database;

    StoredFigures(JdbcClient database) {
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

    /** Counts what is there of runs to which nothing is added any more. */
    void settle(Collection<UUID> runs) {
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
