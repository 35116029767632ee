package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * How much room the figures of runs take in the database: curves, traces, what chance decided, and
 * events. What is long is not read for it: the sizes are in the rows.
 */
@Service
public class StoredFigures {

    /** Of a row, besides what is long in it, and of its place in indexes. */
    private static final int BYTES_OF_A_ROW = 150;

    private final JdbcClient database;

    StoredFigures(JdbcClient database) {
        this.database = database;
    }

    /** Bytes by run, of those of a project that have any figures. */
    @Transactional(readOnly = true)
    public Map<RunId, Long> bytes(UUID project) {
        return database
                .sql(
                        """
                        select part.run_id, sum(part.bytes + :row) as bytes
                        from run
                        cross join lateral (
                            select run_id, pg_column_size(packed) as bytes
                            from metric_part where run_id = run.id
                            union all
                            select run_id, pg_column_size(slices)
                            from trace_part where run_id = run.id
                            union all
                            select run_id, pg_column_size(choices)
                            from order_part where run_id = run.id
                            union all
                            select run_id, pg_column_size(body)
                            from run_event where run_id = run.id
                        ) as part
                        where run.project_id = :project
                        group by part.run_id
                        """)
                .param("project", project)
                .param("row", BYTES_OF_A_ROW)
                .query((row, _) ->
                        Map.entry(
                                RunId.of(row.getObject("run_id", UUID.class)),
                                row.getLong("bytes")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
