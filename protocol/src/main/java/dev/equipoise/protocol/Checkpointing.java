package dev.equipoise.protocol;

/**
 * That a training may be stopped after an epoch and go on later, by a checkpoint.
 *
 * @param after the epoch whose checkpoint it begins with; 0 to begin at the beginning
 */
public record Checkpointing(int after) {

    public Checkpointing {
        Rules.atLeast("after", after, 0);
    }
}
