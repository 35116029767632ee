package dev.equipoise.app.webhook;

import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Hands out pending deliveries to the instances of the service. A lease gives one instance at a
 * time the right to deliver to a webhook (Gray and Cheriton 1989). It expires by the clock that all
 * instances follow, so another instance continues after a crash, also if that clock is set back.
 */
@Repository
class AttemptStore {

    /** Longer than an attempt with the look-up of its name. */
    static final Duration LEASE = Duration.ofMinutes(2);

    /** Tolerated difference between the clocks of two instances of the service. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private final JdbcClient database;
    private final Clock clock;

    AttemptStore(JdbcClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Lease of a webhook.
     *
     * @param number fencing token, which grows with each lease of the webhook
     */
    record Lease(UUID webhook, long number) {}

    /**
     * Delivery that is tried now.
     *
     * @param number of the attempt, from 1
     */
    record Attempt(
            UUID delivery,
            WebhookUrl url,
            WebhookSecret secret,
            String body,
            int number,
            Instant at) {}

    /** Leases webhooks that have due deliveries, the longest unused first. */
    @Transactional
    List<Lease> lease(int most) {
        Instant now = clock.instant();
        return database.sql(
                        """
                        update webhook set leased_until = :until, lease_number = lease_number + 1
                        where id in (
                            select hook.id from webhook as hook
                            where hook.enabled
                              and (hook.leased_until is null
                                or hook.leased_until <= :now or hook.leased_until > :latestLease)
                              and exists (
                                select from webhook_delivery as pending
                                where pending.webhook_id = hook.id and pending.state = 'PENDING'
                                  and (pending.due_at <= :now or pending.due_at > :latestDue)
                              )
                            order by hook.leased_until nulls first
                            limit :most
                            for no key update skip locked
                        )
                        returning id, lease_number
                        """)
                .param("now", Timestamp.from(now))
                .param("until", Timestamp.from(now.plus(LEASE)))
                .param("latestLease", Timestamp.from(latest(now, LEASE)))
                .param("latestDue", Timestamp.from(latest(now, RetryPolicy.MAX_DELAY)))
                .param("most", most)
                .query((row, _) ->
                        new Lease(row.getObject("id", UUID.class), row.getLong("lease_number")))
                .list();
    }

    /** Returns the latest time that can have been set by now; a later one precedes a clock jump. */
    private static Instant latest(Instant now, Duration length) {
        return now.plus(length).plus(CLOCK_DIFFERENCE);
    }

    /**
     * Begins the next attempt and renews the lease. After a crash the attempt counts as failed, and
     * the next one follows when the lease has expired.
     *
     * @return empty if nothing is due, the webhook is disabled or gone, or the lease is lost
     */
    @Transactional
    Optional<Attempt> begin(Lease lease) {
        Instant now = clock.instant();
        return database.sql(
                        """
                        with hook as (
                            update webhook set leased_until = :until
                            where id = :webhook and lease_number = :number and enabled
                            returning id, url, secret
                        ), due as (
                            select pending.id from webhook_delivery as pending
                            join hook on hook.id = pending.webhook_id
                            where pending.state = 'PENDING'
                              and (pending.due_at <= :now or pending.due_at > :latestDue)
                            order by pending.due_at, pending.created_at, pending.id
                            limit 1
                            for no key update of pending
                        )
                        update webhook_delivery as tried
                        set attempts = tried.attempts + 1, attempted_at = :now, due_at = :until,
                            status = null, error = null
                        from due, hook
                        where tried.id = due.id
                        returning tried.id, hook.url, hook.secret, tried.body, tried.attempts
                        """)
                .param("webhook", lease.webhook())
                .param("number", lease.number())
                .param("now", Timestamp.from(now))
                .param("until", Timestamp.from(now.plus(LEASE)))
                .param("latestDue", Timestamp.from(latest(now, RetryPolicy.MAX_DELAY)))
                .query((row, _) ->
                        new Attempt(
                                row.getObject("id", UUID.class),
                                WebhookUrl.parse(row.getString("url")),
                                WebhookSecret.ofKey(row.getBytes("secret")),
                                row.getString("body"),
                                row.getInt("attempts"),
                                now))
                .optional();
    }

    /** Ends a lease, unless it is lost. */
    @Transactional
    void release(Lease lease) {
        database.sql(
                        """
                        update webhook set leased_until = :now
                        where id = :webhook and lease_number = :number
                        """)
                .param("webhook", lease.webhook())
                .param("number", lease.number())
                .param("now", Timestamp.from(clock.instant()))
                .update();
    }

    /**
     * Records the outcome of an attempt, and returns what follows; empty if the lease is lost, or
     * the delivery was sent again or removed meanwhile.
     */
    @Transactional
    Optional<RetryPolicy.Step> finish(Lease lease, Attempt attempt, AttemptOutcome outcome) {
        Optional<Integer> failures = lockFailures(lease);
        if (failures.isEmpty()) {
            return Optional.empty();
        }
        RetryPolicy.Step step =
                RetryPolicy.after(
                        outcome, attempt.delivery(), attempt.number(), failures.orElseThrow());
        if (!record(attempt, outcome, step)) {
            return Optional.empty();
        }
        switch (step) {
            case RetryPolicy.Step.Deliver() -> count(lease.webhook(), 0);
            case RetryPolicy.Step.Retry _ -> count(lease.webhook(), failures.orElseThrow() + 1);
            case RetryPolicy.Step.Fail(String reason) -> {
                count(lease.webhook(), failures.orElseThrow() + 1);
                if (reason != null) {
                    disable(lease.webhook(), reason);
                }
            }
        }
        return Optional.of(step);
    }

    private Optional<Integer> lockFailures(Lease lease) {
        return database.sql(
                        """
                        select failures from webhook
                        where id = :id and lease_number = :number
                        for no key update
                        """)
                .param("id", lease.webhook())
                .param("number", lease.number())
                .query(Integer.class)
                .optional();
    }

    private boolean record(Attempt attempt, AttemptOutcome outcome, RetryPolicy.Step step) {
        return database.sql(
                                """
                                update webhook_delivery
                                set state = :state, due_at = :due, status = :status, error = :error
                                where id = :id and state = 'PENDING' and attempts = :number
                                """)
                        .param("id", attempt.delivery())
                        .param("number", attempt.number())
                        .param("state", state(step).name())
                        .param("due", Timestamp.from(due(step)))
                        .param("status", status(outcome))
                        .param(
                                "error",
                                step instanceof RetryPolicy.Step.Deliver
                                        ? null
                                        : RetryPolicy.text(outcome))
                        .update()
                == 1;
    }

    private static Delivery.State state(RetryPolicy.Step step) {
        return switch (step) {
            case RetryPolicy.Step.Deliver() -> Delivery.State.DELIVERED;
            case RetryPolicy.Step.Retry _ -> Delivery.State.PENDING;
            case RetryPolicy.Step.Fail _ -> Delivery.State.FAILED;
        };
    }

    private Instant due(RetryPolicy.Step step) {
        Instant now = clock.instant();
        return step instanceof RetryPolicy.Step.Retry(Duration delay) ? now.plus(delay) : now;
    }

    private static @Nullable Integer status(AttemptOutcome outcome) {
        return outcome instanceof AttemptOutcome.Responded(int status) ? status : null;
    }

    private void count(UUID webhook, int failures) {
        database.sql(
                        """
                        update webhook set failures = :failures, version = version + 1
                        where id = :id and failures <> :failures
                        """)
                .param("id", webhook)
                .param("failures", failures)
                .update();
    }

    private void disable(UUID webhook, String reason) {
        database.sql(
                        """
                        update webhook set enabled = false, disabled_reason = :reason,
                            version = version + 1
                        where id = :id and enabled
                        """)
                .param("id", webhook)
                .param("reason", reason)
                .update();
    }
}
