package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Event: a run has ended. Published in the transaction that records it.
 *
 * @param generation last generation; 0 if the run was never placed
 * @param cause cause of a failure; null without a failure
 */
public record RunEnded(
        RunId run, UUID project, int generation, RunState state, @Nullable FailureCause cause) {

    static RunEnded of(Run run) {
        RunFailure failure = run.failure();
        return new RunEnded(
                RunId.of(run.id()),
                run.projectId(),
                run.generation(),
                run.state(),
                failure == null ? null : failure.cause());
    }
}
