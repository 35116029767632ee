package dev.equipoise.app.run;

import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.RunId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run has come to its end; published in the transaction that says so.
 *
 * @param generation the one that it had; 0 where it was never placed
 * @param cause why it failed; null where it did not
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
