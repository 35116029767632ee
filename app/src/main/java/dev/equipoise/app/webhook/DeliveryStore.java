package dev.equipoise.app.webhook;

import dev.equipoise.app.page.NewestFirstKey;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The outbox: deliveries of all webhooks, with their states. */
@Repository
class DeliveryStore {

    /** Limit of the pending deliveries of a webhook. */
    static final int MAX_PENDING = 1_000;

    /** Limit of the ended deliveries of a webhook. */
    static final int MAX_ENDED = 1_000;

    private static final Logger log = LoggerFactory.getLogger(DeliveryStore.class);

    private final JdbcClient database;

    DeliveryStore(JdbcClient database) {
        this.database = database;
    }

    /** Adds an event to the enabled webhooks of a project that want it. */
    void addInProject(UUID project, WebhookEvent event, String body, Instant at) {
        warnOfDrops(
                event.code(),
                insert("project_id = :project and enabled and :type = any (events)")
                        .param("project", project)
                        .param("type", event.code())
                        .param("body", body)
                        .param("at", Timestamp.from(at))
                        .query(Delivery::of)
                        .list());
    }

    /** Adds an event to the enabled webhooks of all projects that want it. */
    void addInLab(WebhookEvent event, String body, Instant at) {
        warnOfDrops(
                event.code(),
                insert("enabled and :type = any (events)")
                        .param("type", event.code())
                        .param("body", body)
                        .param("at", Timestamp.from(at))
                        .query(Delivery::of)
                        .list());
    }

    /** Adds a delivery to one webhook. */
    Delivery add(UUID webhook, String type, String body, Instant at) {
        return insert("id = :webhook")
                .param("webhook", webhook)
                .param("type", type)
                .param("body", body)
                .param("at", Timestamp.from(at))
                .query(Delivery::of)
                .single();
    }

    /**
     * Inserts a delivery for each webhook of a condition. The lock keeps a webhook from being
     * deleted before the transaction ends; one that is deleted already gets none. Owners and
     * deliveries may change the webhook meanwhile.
     */
    private JdbcClient.StatementSpec insert(String condition) {
        return database.sql(
                        """
                        with receiver as (
                            select id from webhook where %s for key share
                        )
                        insert into webhook_delivery (id, webhook_id, type, body, state, created_at, due_at)
                        select gen_random_uuid(), receiver.id, :type, :body,
                            case when (
                                select count(*) from (
                                    select 1 from webhook_delivery
                                    where webhook_id = receiver.id and state = 'PENDING' limit :most
                                ) as waiting
                            ) < :most then 'PENDING' else 'DROPPED' end,
                            :at, :at
                        from receiver
                        returning %s
                        """
                                .formatted(condition, Delivery.COLUMNS))
                .param("most", MAX_PENDING);
    }

    private static void warnOfDrops(String type, List<Delivery> added) {
        long dropped = added.stream().filter(it -> it.state() == Delivery.State.DROPPED).count();
        if (dropped > 0) {
            log.warn(
                    "{} not delivered to {} webhooks: each has {} pending deliveries, the maximum",
                    type,
                    dropped,
                    MAX_PENDING);
        }
    }

    /** Returns the deliveries of a webhook, newest first. */
    List<Delivery> of(UUID webhook, NewestFirstKey after, int limit) {
        return database.sql(
                        """
                        select %s from webhook_delivery
                        where webhook_id = :webhook and (created_at, id) < (:at, :id)
                        order by created_at desc, id desc limit :limit
                        """
                                .formatted(Delivery.COLUMNS))
                .param("webhook", webhook)
                .param("at", Timestamp.from(after.at()))
                .param("id", after.id())
                .param("limit", limit)
                .query(Delivery::of)
                .list();
    }

    /**
     * Makes a delivery pending and due, as if it had never been tried. The result of an attempt
     * that is under way does not count any more.
     */
    Optional<Delivery> resend(UUID webhook, UUID id, Instant now) {
        return database.sql(
                        """
                        update webhook_delivery
                        set state = 'PENDING', attempts = 0, due_at = :now, status = null, error = null
                        where id = :id and webhook_id = :webhook
                        returning %s
                        """
                                .formatted(Delivery.COLUMNS))
                .param("id", id)
                .param("webhook", webhook)
                .param("now", Timestamp.from(now))
                .query(Delivery::of)
                .optional();
    }

    /**
     * Removes old deliveries, and the oldest ended ones of webhooks that have too many. Skips those
     * that another instance removes or tries at this moment.
     */
    void removeOld(Instant now, Duration retention) {
        database.sql(
                        """
                        delete from webhook_delivery where id in (
                            select id from webhook_delivery where created_at < :before
                            for update skip locked
                        )
                        """)
                .param("before", Timestamp.from(now.minus(retention)))
                .update();
        database.sql(
                        """
                        delete from webhook_delivery where id in (
                            select old.id from webhook
                            cross join lateral (
                                select created_at, id from webhook_delivery
                                where webhook_id = webhook.id and state <> 'PENDING'
                                order by created_at desc, id desc offset :most limit 1
                            ) as last
                            join webhook_delivery as old on old.webhook_id = webhook.id
                                and old.state <> 'PENDING'
                                and (old.created_at, old.id) <= (last.created_at, last.id)
                            for update of old skip locked
                        )
                        """)
                .param("most", MAX_ENDED)
                .update();
    }
}
