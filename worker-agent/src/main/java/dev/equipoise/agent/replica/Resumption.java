package dev.equipoise.agent.replica;

import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * That a training may be stopped, or lose ranks, and go on.
 *
 * @param checkpoints with one of which it may begin
 * @param continuation where it goes on with what ranks have in memory; else null
 * @param parked what this one has; null where that is nothing
 */
record Resumption(
        Checkpoints checkpoints, @Nullable Continuation continuation, @Nullable Parked parked) {

    /** Of a training that begins at the beginning, or with a checkpoint. */
    Resumption(Checkpoints checkpoints) {
        this(checkpoints, null, null);
    }

    /** In words, with what the training goes on; empty where it begins. */
    Optional<String> told() {
        if (continuation != null) {
            Position from = continuation.from();
            return Optional.of(
                    "%s epoch %d, round %d, and goes on from there"
                            .formatted(
                                    parked == null ? "was given the weights of" : "has been at",
                                    from.epoch(),
                                    from.round()));
        }
        return checkpoints.after() == 0
                ? Optional.empty()
                : Optional.of(
                        "has the checkpoint after epoch %d, and goes on from there"
                                .formatted(checkpoints.after()));
    }
}
