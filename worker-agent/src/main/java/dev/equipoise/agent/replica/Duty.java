package dev.equipoise.agent.replica;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Position;
import java.util.function.Consumer;

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

    /** Whether a round that is cut off leaves weights and memory as they were before it. */
    default boolean isRoundWhole() {
        return false;
    }

    /** Notes each moment from which this rank can go on when others are lost. */
    default void commitTo(Commit commit) {
        throw new IllegalStateException(position() + " does not know from where it can go on");
    }

    /** Goes on from there; what it remembers stands where it belongs already. */
    default void resume(Position from) {
        throw new IllegalStateException(position() + " does not go on where another has stopped");
    }

    /** How many exchanges without which nobody goes on there are in a round, at most. */
    int exchangesPerRound();
}
