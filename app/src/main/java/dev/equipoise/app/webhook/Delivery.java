package dev.equipoise.app.webhook;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event for one webhook.
 *
 * @param id id of the delivery: the header {@code webhook-id}, the same in all attempts
 * @param type type of the event: {@code run.ended}, {@code worker.lost} or {@code ping}
 * @param state state of the delivery
 * @param createdAt time of the event
 * @param attempts number of attempts since the delivery was created or sent again
 * @param dueAt time of the next attempt; null unless the delivery is pending
 * @param attemptedAt time of the last attempt; null before the first
 * @param status HTTP status of the last attempt; null without an answer
 * @param error reason why the last attempt failed; null if it did not
 */
@Schema(name = "WebhookDelivery")
record Delivery(
        UUID id,
        String type,
        State state,
        Instant createdAt,
        int attempts,
        @Nullable Instant dueAt,
        @Nullable Instant attemptedAt,
        @Nullable Integer status,
        @Nullable String error) {

    /** State of a delivery. */
    enum State {
        /** Another attempt follows, unless the webhook is disabled. */
        @JsonProperty("pending")
        PENDING,
        /** The receiver answered with a status from 200 to 299. */
        @JsonProperty("delivered")
        DELIVERED,
        /** All attempts have failed. */
        @JsonProperty("failed")
        FAILED,
        /** Too many deliveries were pending, so none was tried. */
        @JsonProperty("dropped")
        DROPPED
    }

    /** Columns that {@link #of} reads. */
    static final String COLUMNS =
            "id, type, state, created_at, attempts, due_at, attempted_at, status, error";

    static Delivery of(ResultSet row, int number) throws SQLException {
        State state = State.valueOf(row.getString("state"));
        Timestamp attemptedAt = row.getTimestamp("attempted_at");
        return new Delivery(
                row.getObject("id", UUID.class),
                row.getString("type"),
                state,
                row.getTimestamp("created_at").toInstant(),
                row.getInt("attempts"),
                state == State.PENDING ? row.getTimestamp("due_at").toInstant() : null,
                attemptedAt == null ? null : attemptedAt.toInstant(),
                row.getObject("status", Integer.class),
                row.getString("error"));
    }
}
