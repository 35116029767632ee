package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import java.util.UUID;

/**
 * A run has come to its end; published in the transaction that says so.
 *
 * @param generation the one that it had; 0 where it was never placed
 */
public record RunEnded(RunId run, UUID project, int generation, RunState state) {

    static RunEnded of(Run run) {
        return new RunEnded(RunId.of(run.id()), run.projectId(), run.generation(), run.state());
    }
}
