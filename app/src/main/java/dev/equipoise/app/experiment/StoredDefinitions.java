package dev.equipoise.app.experiment;

import dev.equipoise.app.account.ProjectStorage;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reports the size of definitions in all versions, with their configurations. */
@Component
class StoredDefinitions implements ProjectStorage {

    private final JdbcClient database;

    StoredDefinitions(JdbcClient database) {
        this.database = database;
    }

    @Override
    public long bytes(UUID project) {
        return database.sql(
                        """
                        select coalesce(
                            sum(pg_column_size(definition) + pg_column_size(configurations)), 0)
                        from (select definition, configurations from experiment
                              where project_id = :project
                              union all
                              select earlier_version.definition, earlier_version.configurations
                              from earlier_version join experiment on experiment.id = experiment_id
                              where project_id = :project) as versions
                        """)
                .param("project", project)
                .query(Long.class)
                .single();
    }
}
