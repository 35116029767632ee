package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

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
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost that this one needs;
     *     where the channel bears losses, those are the servers alone
     */
    void update(MemorySegment gradient, int samples);

    /** Ends an epoch: nothing is under way any more, and the channel is free. */
    default void settle() {}

    /** After that, all ranks get the weights that others keep for them; all ranks call it. */
    default void share() {}

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

    /** How many exchanges without which nobody goes on there are in a round, at most. */
    int exchangesPerRound();
}
