package dev.equipoise.app.schedule;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Whose turn it is to go over the queue: of all instances of the service one's at a time, so that a
 * pass knows all that was decided before it. By the database's clock; an instance that dies in its
 * turn keeps the others from theirs until the turn is over. Who computes for long keeps its turn
 * meanwhile, and who places a run does so in its turn or not at all.
 */
@Repository
class Turn {

    private static final double MILLIS = 1e3;

    private final JdbcClient database;
    private final Duration lease;
    private final UUID self = UUID.randomUUID();

    Turn(JdbcClient database, ScheduleSettings settings) {
        this.database = database;
        this.lease = settings.lease();
    }

    /**
     * One turn of an instance.
     *
     * @param number of no other turn
     */
    record Taken(long number) {}

    /** How often to keep a turn: often enough that one that comes late loses nothing. */
    Duration keptEvery() {
        return lease.dividedBy(3);
    }

    /** This instance's turn from now on, until it ends that; empty while it is another's. */
    @Transactional
    public Optional<Taken> take() {
        return database.sql(
                        """
                        update queue_turn
                        set holder = :self, number = number + 1,
                            until = clock_timestamp() + make_interval(secs => :lease)
                        where holder = :self or until <= clock_timestamp()
                        returning number
                        """)
                .param("self", self)
                .param("lease", lease.toMillis() / MILLIS)
                .query(Long.class)
                .optional()
                .map(Taken::new);
    }

    /**
     * Has a turn last from now as long as one that begins. In a transaction no other turn begins
     * before that is over.
     *
     * @return false, and nothing is done, where another turn has begun
     */
    @Transactional
    public boolean keep(Taken turn) {
        return database.sql(
                                """
                                update queue_turn
                                set until = clock_timestamp() + make_interval(secs => :lease)
                                where number = :number
                                """)
                        .param("number", turn.number())
                        .param("lease", lease.toMillis() / MILLIS)
                        .update()
                == 1;
    }

    @Transactional
    public void end(Taken turn) {
        database.sql("update queue_turn set until = clock_timestamp() where number = :number")
                .param("number", turn.number())
                .update();
    }
}
