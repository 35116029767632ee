package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.optimizer.OptimizerState;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the gradients of one rank: when and with whom it agrees, and what its weights are
 * then. The rank's own thread uses it.
 */
public interface Synchronizer {

    /** A round begins: the weights may change now, before the gradient is computed on them. */
    default void begin() {}

    /**
     * Ends a round: makes new weights of a gradient that was computed on the present ones.
     *
     * @param gradient over this rank's samples of the round, its mean or its sum as the loss is
     *     reduced; left as it is
     * @param samples of the round, which may be 0
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    void update(MemorySegment gradient, int samples);

    /** Ends an epoch: nothing is under way any more, and the channel is free. */
    default void settle() {}

    /** Whether all replicas hold the same weights, to the bit, after an epoch. */
    default boolean keepsReplicasEqual() {
        return false;
    }

    /**
     * Whether all ranks hold the same weights, to the bit, and remember the same, after the round
     * that has just ended.
     */
    default boolean agrees() {
        return false;
    }

    /** Whether a round that is cut off leaves all as it was before. */
    default boolean isRoundWhole() {
        return false;
    }

    /**
     * All that it remembers from one epoch to the next, besides the weights and where it is; null
     * where it is more than that, so that it cannot go on elsewhere.
     */
    default @Nullable OptimizerState memory() {
        return null;
    }

    /**
     * Goes on after a round after which all ranks agreed; weights and memory stand where they
     * belong already.
     *
     * @param rounds up to then
     * @param steps that this rank's optimizer made in them
     */
    default void resume(long rounds, long steps) {
        throw new IllegalStateException("this method does not go on where another has stopped");
    }

    /** How many exchanges without which nobody goes on there are in a round, at most. */
    int exchangesPerRound();
}
