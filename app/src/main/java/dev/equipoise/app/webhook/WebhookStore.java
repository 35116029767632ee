package dev.equipoise.app.webhook;

import java.sql.Timestamp;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Stores the webhooks of projects. */
@Repository
class WebhookStore {

    private final JdbcClient database;

    WebhookStore(JdbcClient database) {
        this.database = database;
    }

    /** Returns the webhooks of a project, oldest first. */
    List<Webhook> of(UUID project) {
        return database.sql(
                        """
                        select %s from webhook where project_id = :project order by created_at, id
                        """
                                .formatted(Webhook.COLUMNS))
                .param("project", project)
                .query(Webhook::of)
                .list();
    }

    /** Locks the list of a project's webhooks until the transaction ends. */
    void lockList(UUID project) {
        database.sql("select id from project where id = :project for no key update")
                .param("project", project)
                .query(UUID.class)
                .list();
    }

    Optional<Webhook> find(UUID project, UUID id) {
        return select(project, id, "");
    }

    /** Locks a webhook until the transaction ends, and reads it. Events are written meanwhile. */
    Optional<Webhook> lock(UUID project, UUID id) {
        return select(project, id, "for no key update");
    }

    private Optional<Webhook> select(UUID project, UUID id, String lock) {
        return database.sql(
                        "select %s from webhook where id = :id and project_id = :project %s"
                                .formatted(Webhook.COLUMNS, lock))
                .param("id", id)
                .param("project", project)
                .query(Webhook::of)
                .optional();
    }

    void insert(Webhook webhook) {
        database.sql(
                        """
                        insert into webhook
                            (id, project_id, name, url, secret, events, enabled, created_at, version)
                        values (:id, :project, :name, :url, :secret, string_to_array(:events, ','),
                            :enabled, :at, :version)
                        """)
                .param("id", webhook.id())
                .param("project", webhook.project())
                .param("name", webhook.name())
                .param("url", webhook.url().uri().toString())
                .param("secret", webhook.secret().key())
                .param("events", webhook.eventCodes())
                .param("enabled", webhook.enabled())
                .param("at", Timestamp.from(webhook.createdAt()))
                .param("version", webhook.version())
                .update();
    }

    /** Stores the configuration of a locked webhook. */
    void update(Webhook webhook) {
        database.sql(
                        """
                        update webhook
                        set name = :name, url = :url, events = string_to_array(:events, ','),
                            enabled = :enabled, disabled_reason = :reason, failures = :failures,
                            version = :version
                        where id = :id
                        """)
                .param("id", webhook.id())
                .param("name", webhook.name())
                .param("url", webhook.url().uri().toString())
                .param("events", webhook.eventCodes())
                .param("enabled", webhook.enabled())
                .param("reason", webhook.disabledReason())
                .param("failures", webhook.failures())
                .param("version", webhook.version())
                .update();
    }

    /** Deletes a webhook with its deliveries. */
    void delete(UUID id) {
        database.sql("delete from webhook where id = :id").param("id", id).update();
    }
}
