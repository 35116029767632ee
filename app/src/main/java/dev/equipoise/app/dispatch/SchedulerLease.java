package dev.equipoise.app.dispatch;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The lease that gives one instance of the service at a time the right to make scheduling passes,
 * so that a pass sees all earlier decisions (Gray and Cheriton 1989). It expires by the clock of
 * the database, also if that clock is set back: a dead instance blocks the others until then. A
 * long pass renews the lease, and a transaction that places a run renews it or fails.
 */
@Repository
public class SchedulerLease {

    private static final double MILLIS = 1e3;

    private final JdbcClient database;
    private final Duration duration;
    private final UUID self = UUID.randomUUID();

    public SchedulerLease(JdbcClient database, DispatchSettings settings) {
        this.database = database;
        this.duration = settings.lease();
    }

    /**
     * A fencing token: the number of one acquisition of the lease.
     *
     * @param number grows with each acquisition
     */
    public record Token(long number) {}

    /** Time between two renewals: a third of the duration, so that a late renewal is in time. */
    public Duration renewalInterval() {
        return duration.dividedBy(3);
    }

    /** Acquires the lease for this instance; empty while another instance has it. */
    @Transactional
    public Optional<Token> acquire() {
        return database.sql(
                        """
                        update queue_turn
                        set holder = :self, number = number + 1,
                            until = clock_timestamp() + make_interval(secs => :lease)
                        where holder = :self or until <= clock_timestamp()
                            or until > clock_timestamp() + make_interval(secs => 2 * :lease)
                        returning number
                        """)
                .param("self", self)
                .param("lease", duration.toMillis() / MILLIS)
                .query(Long.class)
                .optional()
                .map(Token::new);
    }

    /**
     * Renews the lease for its full duration. Inside a transaction, no other instance acquires it
     * before the transaction ends.
     *
     * @return false, without effect, if the lease was acquired again since
     */
    @Transactional
    public boolean renew(Token token) {
        return database.sql(
                                """
                                update queue_turn
                                set until = clock_timestamp() + make_interval(secs => :lease)
                                where number = :number
                                """)
                        .param("number", token.number())
                        .param("lease", duration.toMillis() / MILLIS)
                        .update()
                == 1;
    }

    @Transactional
    public void release(Token token) {
        database.sql("update queue_turn set until = clock_timestamp() where number = :number")
                .param("number", token.number())
                .update();
    }
}
