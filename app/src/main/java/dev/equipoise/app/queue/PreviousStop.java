package dev.equipoise.app.queue;

import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Last preemption or restart of a queued run that had workers before.
 *
 * @param by run for which it was preempted; null for a restart, or if it is no longer known or
 *     belongs to another project
 * @param failure failure that caused the restart; null for a preemption
 * @param epoch epoch after which the run resumes; 0 for the beginning
 */
public record PreviousStop(
        @Nullable RunId by, @Nullable RunFailure failure, int epoch, Instant at) {

    /** Adds this stop to the reason why the run waits. */
    public WaitReason explaining(WaitReason reason) {
        return reason.and(message());
    }

    /** Describes the stop for people, in one line. */
    public String message() {
        return failure == null
                ? "it was preempted%s after epoch %d and resumes from there"
                        .formatted(by == null ? "" : " for run " + by, epoch)
                : "it restarts from %s after a failure: %s"
                        .formatted(
                                epoch == 0 ? "the beginning" : "the end of epoch " + epoch,
                                failure.message());
    }
}
