package dev.equipoise.app.bundle;

import dev.equipoise.app.account.ProjectStorage;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reports the size of imported studies. */
@Component
class StoredStudies implements ProjectStorage {

    private final JdbcClient database;

    StoredStudies(JdbcClient database) {
        this.database = database;
    }

    @Override
    public long bytes(UUID project) {
        return database.sql(
                        """
                        select coalesce(sum(pg_column_size(study.study) + (
                            select coalesce(sum(pg_column_size(run)), 0)
                            from imported_run where experiment_id = study.experiment_id)), 0)
                        from imported_study as study
                        where study.project_id = :project
                        """)
                .param("project", project)
                .query(Long.class)
                .single();
    }
}
