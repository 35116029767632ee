package dev.equipoise.app.webhook;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stored webhook.
 *
 * @param events without repetitions, in the order of their declaration
 * @param disabledReason why the service has disabled it; null if it is enabled, or if an owner has
 *     disabled it
 * @param failures failed attempts since the last delivery
 * @param version grows with each change
 */
record Webhook(
        UUID id,
        UUID project,
        String name,
        WebhookUrl url,
        WebhookSecret secret,
        List<WebhookEvent> events,
        boolean enabled,
        @Nullable String disabledReason,
        int failures,
        Instant createdAt,
        long version) {

    Webhook {
        events = events.stream().distinct().sorted().toList();
    }

    /** Returns the webhook with a new configuration; an enabled one begins without failures. */
    Webhook with(String otherName, WebhookUrl otherUrl, List<WebhookEvent> others, boolean on) {
        boolean isRenewed = on && !enabled;
        return new Webhook(
                id,
                project,
                otherName,
                otherUrl,
                secret,
                others,
                on,
                on ? null : disabledReason,
                isRenewed ? 0 : failures,
                createdAt,
                version + 1);
    }

    /** Returns the codes of the events, separated by commas. */
    String eventCodes() {
        return String.join(",", events.stream().map(WebhookEvent::code).toList());
    }

    /** Columns that {@link #of} reads. */
    static final String COLUMNS =
            """
            id, project_id, name, url, secret, array_to_string(events, ',') as event_codes, enabled,
            disabled_reason, failures, created_at, version
            """;

    static Webhook of(ResultSet row, int number) throws SQLException {
        return new Webhook(
                row.getObject("id", UUID.class),
                row.getObject("project_id", UUID.class),
                row.getString("name"),
                WebhookUrl.parse(row.getString("url")),
                WebhookSecret.ofKey(row.getBytes("secret")),
                Arrays.stream(row.getString("event_codes").split(","))
                        .map(WebhookEvent::of)
                        .toList(),
                row.getBoolean("enabled"),
                row.getString("disabled_reason"),
                row.getInt("failures"),
                row.getTimestamp("created_at").toInstant(),
                row.getLong("version"));
    }
}
