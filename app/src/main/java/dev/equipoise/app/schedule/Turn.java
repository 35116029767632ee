package dev.equipoise.app.schedule;

import java.time.Duration;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Whose turn it is to go over the queue: of all instances of the service one's at a time, so that a
 * pass knows all that was decided before it. By the database's clock; an instance that dies in its
 * turn keeps the others from theirs until the turn is over. Were it late, no run would be placed
 * twice: that is seen to when a run is claimed.
 */
@Repository
class Turn {

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final JdbcClient database;
    private final UUID self = UUID.randomUUID();

    Turn(JdbcClient database) {
        this.database = database;
    }

    /** Whether it is this instance's turn now, until it ends that. */
    @Transactional
    public boolean take() {
        return database.sql(
                                """
                                update queue_turn
                                set holder = :self, until = clock_timestamp() + make_interval(secs => :longest)
                                where holder = :self or until <= clock_timestamp()
                                """)
                        .param("self", self)
                        .param("longest", LONGEST.toSeconds())
                        .update()
                == 1;
    }

    @Transactional
    public void end() {
        database.sql("update queue_turn set until = clock_timestamp() where holder = :self")
                .param("self", self)
                .update();
    }
}
