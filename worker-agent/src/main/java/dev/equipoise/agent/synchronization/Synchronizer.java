package dev.equipoise.agent.synchronization;

import java.lang.foreign.MemorySegment;

/**
 * Synchronization method of one rank: applies its gradients and synchronizes its weights with
 * others. Only the rank's own thread uses it.
 */
public interface Synchronizer {

    /**
     * Begins an epoch.
     *
     * @param epoch from 1
     */
    default void beginEpoch(int epoch) {}

    /** Begins a round; may change the weights before the gradient is computed on them. */
    default void begin() {}

    /**
     * Announces a completed part of the round's gradient, while the rest is still computed. The
     * part must not change before {@link #update} has returned.
     *
     * @param gradient as for {@link #update}
     * @param offset all bytes of the gradient from this one on are complete
     */
    default void completed(MemorySegment gradient, long offset) {}

    /**
     * Ends a round: applies a gradient that was computed on the current weights.
     *
     * @param gradient over this rank's samples of the round, as a mean or a sum by the reduction of
     *     the loss; stays unchanged
     * @param samples of the round, which may be 0
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost that this one needs; if
     *     the channel tolerates losses, only servers are needed
     */
    void update(MemorySegment gradient, int samples);

    /** Ends an epoch: completes all exchanges, after which the channel is free. */
    default void settle() {}

    /** Distributes weights that other ranks hold, after {@link #settle}; every rank calls it. */
    default void share() {}

    /** Returns whether all replicas hold equal weights after an epoch, to the bit. */
    default boolean keepsReplicasEqual() {
        return false;
    }

    /**
     * Returns the weight of this replica in the mean of all that the method keeps or would agree on
     * now, of 1 in total.
     */
    default double weightInMean(int replicas) {
        return 1.0 / replicas;
    }

    /**
     * Returns whether all ranks have equal weights and state after the latest round, to the bit.
     */
    default boolean agrees() {
        return false;
    }

    /** Returns whether an interrupted round leaves weights and state as before it. */
    default boolean isRoundWhole() {
        return false;
    }

    /** Returns the maximum number of blocking exchanges of a round. */
    int exchangesPerRound();
}
