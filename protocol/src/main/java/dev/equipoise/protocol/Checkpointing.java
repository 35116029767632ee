package dev.equipoise.protocol;

/**
 * Checkpoint settings of a run that continues after a preemption or the loss of ranks.
 *
 * @param after the epoch whose checkpoint is restored; 0 to begin with the initial weights
 * @param parts number of parts of that checkpoint, one for each rank that wrote it; 0 without one
 * @param every number of epochs between two checkpoints; 0 for checkpoints on request of the
 *     service only
 */
public record Checkpointing(int after, int parts, int every) {

    public Checkpointing {
        Rules.atLeast("after", after, 0);
        Rules.atLeast("parts", parts, after > 0 ? 1 : 0);
        Rules.atLeast("every", every, 0);
    }

    /** Returns whether a checkpoint is due after an epoch. */
    public boolean isDueAfter(int epoch) {
        return every > 0 && epoch % every == 0;
    }
}
