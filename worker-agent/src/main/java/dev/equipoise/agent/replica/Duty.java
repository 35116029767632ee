package dev.equipoise.agent.replica;

import dev.equipoise.agent.optimizer.OptimizerState;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Position;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a rank does in an epoch. */
interface Duty {

    /** Computes without any effect, so that the first epoch is as fast as the others. */
    void warmUp() throws InterruptedException;

    /** Returns when nothing is under way any more; the listener hears of every round. */
    void epoch(Epoch epoch, Consumer<AgentEvent> listener) throws InterruptedException;

    /**
     * Outside of all rounds: where ranks have a part of the network each, the learner's weights
     * become those of the whole.
     */
    default void assemble() {}

    /** Makes sure that the training has not diverged. */
    void requireFinite(double loss);

    /** Where the training is, for messages. */
    String position();

    /** Whether all ranks hold the same weights after an epoch, to the bit. */
    boolean keepsReplicasEqual();

    /** What the method remembers besides the weights; null where it cannot go on elsewhere. */
    default @Nullable OptimizerState memory() {
        return null;
    }

    /** Whether a round that is cut off leaves weights and memory as they were before it. */
    default boolean isRoundWhole() {
        return false;
    }

    /** Notes each moment at which all ranks have the same. */
    default void commitTo(Commit commit) {
        throw new IllegalStateException(position() + " does not know when all ranks have the same");
    }

    /**
     * Goes on from where all ranks had the same; weights and memory stand where they belong
     * already.
     *
     * @param steps that this rank's optimizer has made
     */
    default void resume(Position from, long steps) {
        throw new IllegalStateException(position() + " does not go on where another has stopped");
    }

    /** How many exchanges without which nobody goes on there are in a round, at most. */
    int exchangesPerRound();
}
