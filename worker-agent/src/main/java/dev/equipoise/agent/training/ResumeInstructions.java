package dev.equipoise.agent.training;

import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Instructions for a training that may stop, lose ranks and continue.
 *
 * @param checkpoints store, with the checkpoint from which it may resume
 * @param uploads stores checkpoint parts, and nothing else
 * @param continuation position from which it continues with state in the memory of ranks; else null
 * @param retained retained state of this rank; null without one
 */
record ResumeInstructions(
        Checkpoints checkpoints,
        BackgroundThread uploads,
        @Nullable Continuation continuation,
        @Nullable RetainedState retained) {

    /** Creates the instructions for a training from the start or from a checkpoint. */
    ResumeInstructions(Checkpoints checkpoints, BackgroundThread uploads) {
        this(checkpoints, uploads, null, null);
    }

    /** Describes the state from which the training of a rank resumes; empty for a start. */
    Optional<String> description(int rank) {
        if (continuation != null) {
            Position from = continuation.from();
            return Optional.of(
                    "resumes from epoch %d, round %d, with %s"
                            .formatted(
                                    from.epoch(),
                                    from.round(),
                                    retained != null && continuation.holders().contains(rank)
                                            ? "its own weights"
                                            : "the weights of another rank"));
        }
        return checkpoints.after() == 0
                ? Optional.empty()
                : Optional.of(
                        "resumes from the checkpoint after epoch %d"
                                .formatted(checkpoints.after()));
    }
}
