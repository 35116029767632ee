package dev.equipoise.app;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Tells tests that a request has come as far as a lock that they hold. */
public final class LockWaits {

    private LockWaits() {}

    /** Returns whether a session of the database waits for a lock. */
    public static boolean any(JdbcClient database) {
        return database.sql(
                                """
                                select count(*) from pg_stat_activity
                                where datname = current_database() and wait_event_type = 'Lock'
                                """)
                        .query(Integer.class)
                        .single()
                > 0;
    }
}
