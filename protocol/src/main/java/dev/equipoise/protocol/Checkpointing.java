package dev.equipoise.protocol;

/**
 * That a training may be stopped, or lose ranks, and go on later.
 *
 * @param after the epoch whose checkpoint it begins with; 0 to begin at the beginning
 * @param parts of that checkpoint, of which the ranks that left it have one each; 0 where it begins
 *     at the beginning
 * @param every after each so many-th epoch a checkpoint is left; 0 where none is unless the service
 *     wishes it
 */
public record Checkpointing(int after, int parts, int every) {

    public Checkpointing {
        Rules.atLeast("after", after, 0);
        Rules.atLeast("parts", parts, after > 0 ? 1 : 0);
        Rules.atLeast("every", every, 0);
    }

    /** Whether one is left after an epoch. */
    public boolean isDueAfter(int epoch) {
        return every > 0 && epoch % every == 0;
    }
}
