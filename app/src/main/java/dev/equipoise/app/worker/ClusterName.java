package dev.equipoise.app.worker;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * The name of the agents' Hazelcast cluster. A process that does not know it cannot join, so it is
 * random for each database and reaches agents with their admission alone; no log has it. A name in
 * the settings takes precedence.
 *
 * <p>Agents keep the name of their admission until they end, and agents of different names do not
 * see one another. A lab that was upgraded from a version with a fixed name therefore keeps that
 * name as long as one of its workers may come back.
 */
@Component
class ClusterName {

    /** Name of all labs of earlier versions. */
    private static final String FIXED = "equipoise";

    private final JdbcClient database;
    private final WorkerSettings settings;

    ClusterName(JdbcClient database, WorkerSettings settings) {
        this.database = database;
        this.settings = settings;
    }

    /** Returns the name for the next agent. */
    @Transactional
    String forNewcomer() {
        String chosen = settings.clusterName();
        if (chosen != null) {
            return chosen;
        }
        replaceFixed();
        return database.sql("select name from agent_cluster").query(String.class).single();
    }

    private void replaceFixed() {
        database.sql(
                        """
                        update agent_cluster set name = cast(gen_random_uuid() as text)
                        where name = :fixed
                          and not exists (select from worker where state <> 'LEFT')
                        """)
                .param("fixed", FIXED)
                .update();
    }
}
