package dev.equipoise.app.run;

import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.time.Deadline;
import jakarta.persistence.Embeddable;
import java.time.Duration;
import java.time.Instant;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * Current or last stay of a run in the queue.
 *
 * @param waiting wait reason; null unless the run is queued
 * @param notBefore end of the delay before a restart; null without a delay
 * @param interruptedAt last preemption or restart; null if the run had no workers before
 * @param checkpointEpoch epoch after which the next generation resumes; null for the beginning
 */
@Embeddable
record QueueState(
        Instant queuedAt,
        @JdbcTypeCode(SqlTypes.JSON) @Nullable WaitReason waiting,
        @Nullable Instant notBefore,
        @Nullable Instant interruptedAt,
        @Nullable Integer checkpointEpoch) {

    static QueueState entered(WaitReason reason, Instant now) {
        return new QueueState(now, reason, null, null, null);
    }

    /**
     * Returns the run to the queue, where it keeps its place by its original queue time.
     *
     * @param from null without a delay
     * @param epoch epoch after which it resumes; null for the beginning
     */
    QueueState reentered(
            WaitReason reason, @Nullable Instant from, @Nullable Integer epoch, Instant now) {
        return new QueueState(queuedAt, reason, from, now, epoch);
    }

    /** Whether no delay before a restart keeps the run waiting. */
    boolean isDue(Instant now) {
        return notBefore == null
                || interruptedAt == null
                || !Deadline.isAhead(notBefore, Duration.between(interruptedAt, notBefore), now);
    }

    /** Ends the stay at a placement. */
    QueueState left() {
        return new QueueState(queuedAt, null, null, interruptedAt, checkpointEpoch);
    }

    /** Ends the stay because the run ends. */
    QueueState ended() {
        return new QueueState(queuedAt, null, notBefore, interruptedAt, checkpointEpoch);
    }
}
