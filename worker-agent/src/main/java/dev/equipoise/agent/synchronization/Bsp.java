package dev.equipoise.agent.synchronization;

/*
 * Bulk-synchronous parallel SGD (ALGORITHMS section 1.2): w <- w - eta (sum b_i g_i) / (sum b_i),
 * where g_i is the mean gradient over the b_i samples of rank i. This is the gradient of the mean
 * loss over the union of the mini-batches, however unequal they are.
 */

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.time.Phase;
import dev.equipoise.agent.time.Phases;
import java.lang.foreign.MemorySegment;

/** Every round ends with one gradient for all. */
final class Bsp implements Synchronizer {

    private final Barrier barrier;
    private final Combination combination;

    Bsp(Channel channel, Combination combination) {
        this.barrier = new Barrier(channel);
        this.combination = combination;
    }

    /**
     * The barrier tells waiting for the slowest from moving bytes, at the price of a round trip.
     */
    @Override
    public MemorySegment agree(MemorySegment gradient, int samples, Phases phases) {
        barrier.await();
        phases.end(Phase.WAIT);
        MemorySegment agreed = combination.of(gradient, samples);
        phases.end(Phase.TRANSFER);
        return agreed;
    }
}
