package dev.equipoise.app.dispatch;

import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores the usage of projects in worker-seconds, which decay exponentially with a half-life (Kay
 * and Lauder 1988). A generation of a run is charged once, when it ends.
 */
@Repository
public class Usage {

    private static final double MILLIS = 1000;
    private static final Duration WEEK = Duration.ofDays(7);

    private final JdbcClient database;
    private final DispatchSettings settings;
    private final Clock clock;

    Usage(JdbcClient database, DispatchSettings settings, Clock clock) {
        this.database = database;
        this.settings = settings;
        this.clock = clock;
    }

    /** Charges a generation in the transaction that ends it; a repeated charge has no effect. */
    @Transactional
    public void charge(UsageCharge charge) {
        if (insert(charge) == 1) {
            add(charge);
        }
    }

    /** Returns the number of new charges: 0 for a repeated one. */
    private int insert(UsageCharge charge) {
        return database.sql(
                        """
                        insert into usage_charge (run_id, generation, project_id, worker_seconds, charged_at)
                        values (:run, :generation, :project, :seconds, :at)
                        on conflict do nothing
                        """)
                .param("run", charge.run())
                .param("generation", charge.generation())
                .param("project", charge.project())
                .param("seconds", charge.workerSeconds())
                .param("at", Timestamp.from(charge.at()))
                .update();
    }

    private void add(UsageCharge charge) {
        database.sql(
                        """
                        insert into project_usage as known (project_id, worker_seconds, as_of)
                        values (:project, :seconds, :at)
                        on conflict (project_id) do update
                        set worker_seconds = known.worker_seconds
                                * power(0.5, least(1000, greatest(0, extract(epoch from excluded.as_of - known.as_of) / :halfLife)))
                                + excluded.worker_seconds,
                            as_of = excluded.as_of
                        """)
                .param("project", charge.project())
                .param("seconds", charge.workerSeconds())
                .param("at", Timestamp.from(charge.at()))
                .param("halfLife", halfLifeSeconds())
                .update();
    }

    /**
     * The decayed usage by project, in worker-seconds.
     *
     * @param held current allocations, whose seconds so far count undecayed
     */
    @Transactional(readOnly = true)
    public Map<UUID, Double> byProject(Collection<WorkerAllocation> held) {
        Instant now = clock.instant();
        Map<UUID, Double> used = charged(now);
        held.forEach(it -> used.merge(it.project(), it.seconds(now), Double::sum));
        return used;
    }

    private Map<UUID, Double> charged(Instant now) {
        Map<UUID, Double> used = new HashMap<>();
        database.sql(
                        """
                        select project_id,
                               worker_seconds
                                   * power(0.5, least(1000, greatest(0, extract(epoch from cast(:now as timestamptz) - as_of) / :halfLife))) as remembered
                        from project_usage
                        """)
                .param("now", Timestamp.from(now))
                .param("halfLife", halfLifeSeconds())
                .query((row, _) ->
                        used.put(
                                row.getObject("project_id", UUID.class),
                                row.getDouble("remembered")))
                .list();
        return used;
    }

    private double halfLifeSeconds() {
        return settings.halfLife().toMillis() / MILLIS;
    }

    /** The charges of a project in the last seven days, and when they fall below the limit. */
    @Transactional(readOnly = true)
    public WeeklyUsage week(UUID project, double limit) {
        Instant since = clock.instant().minus(WEEK);
        double used =
                database.sql(
                                """
                                select coalesce(sum(worker_seconds), 0) from usage_charge
                                where project_id = :project and charged_at > :since
                                """)
                        .param("project", project)
                        .param("since", Timestamp.from(since))
                        .query(Double.class)
                        .single();
        return new WeeklyUsage(
                used, used < limit ? null : belowLimitAt(project, limit, since).orElse(null));
    }

    /** The time at which the newest charge is a week old that fills the limit with later ones. */
    private Optional<Instant> belowLimitAt(UUID project, double limit, Instant since) {
        return database.sql(
                        """
                        select charged_at
                        from (select charged_at, sum(worker_seconds) over (order by charged_at desc) as later
                              from usage_charge
                              where project_id = :project and charged_at > :since) as charges
                        where later >= :limit and :limit > 0
                        order by charged_at desc
                        limit 1
                        """)
                .param("project", project)
                .param("since", Timestamp.from(since))
                .param("limit", limit)
                .query(Timestamp.class)
                .optional()
                .map(it -> it.toInstant().plus(WEEK).truncatedTo(ChronoUnit.SECONDS));
    }
}
