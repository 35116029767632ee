package dev.equipoise.agent.training;

import dev.equipoise.agent.training.Evaluation.Findings;
import dev.equipoise.protocol.Position;
import dev.equipoise.protocol.RunReport;
import java.util.function.Consumer;

/** Loop of a rank over epochs: that of a replica in training, or that of a parameter server. */
interface RankLoop {

    /** Warms up without any effect, so that the first epoch is as fast as the others. */
    void warmUp() throws InterruptedException;

    /** Runs an epoch, and returns when no exchange is under way; the listener gets every round. */
    void epoch(Epoch epoch, Consumer<RunReport> listener) throws InterruptedException;

    /**
     * Assembles the weights, and for checkpoints the optimizer state, of the whole network from the
     * parts of the ranks, if each has only a part; called outside of all rounds.
     */
    default void assemble() {}

    /** Checks by an evaluation that the training has not diverged. */
    void requireFinite(Findings findings);

    /** Returns the current position, for messages. */
    String position();

    /** Returns whether all ranks hold equal weights after an epoch, to the bit. */
    boolean keepsReplicasEqual();

    /** Returns the weight of this rank in the mean of all replicas, of 1 in total. */
    default double weightInMean(int replicas) {
        return 1.0 / replicas;
    }

    /** Returns whether an interrupted round leaves weights and optimizer state as before it. */
    default boolean isRoundWhole() {
        return false;
    }

    /**
     * Sets the recovery point, which the loop updates whenever this rank could continue from there.
     */
    default void commitTo(RecoveryPoint recoveryPoint) {
        throw new IllegalStateException(position() + " has no recovery point");
    }

    /** Continues from a position; the rank state must have been restored before. */
    default void resume(Position from) {
        throw new IllegalStateException(position() + " cannot resume within a training");
    }

    /** Returns the maximum number of blocking exchanges of a round. */
    int exchangesPerRound();
}
