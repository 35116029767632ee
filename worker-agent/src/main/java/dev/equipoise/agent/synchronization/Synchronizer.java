package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.time.Phases;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Turns the gradients that the replicas have found into the one that they apply. */
public interface Synchronizer {

    /**
     * Exchanges with the other ranks, as the plan demands, after each local gradient.
     *
     * @param gradient over this rank's mini-batch, its mean or its sum as the loss is reduced; left
     *     as it is
     * @param samples the size of that mini-batch, which may be 0
     * @param phases are told when the waiting and when the transfer ended
     * @return what to apply; valid until the next call
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    MemorySegment agree(MemorySegment gradient, int samples, Phases phases);

    /**
     * The way that the plan asks for.
     *
     * @param elements the length of the gradient
     * @param memory what it computes in; must outlive it
     */
    static Synchronizer of(
            TrainingPlan plan, Channel channel, long elements, Time time, Arena memory) {
        if (channel.size() == 1) {
            return (gradient, _, _) -> gradient;
        }
        return switch (plan.synchronization()) {
            case Synchronization.Bsp _ ->
                    new Bsp(channel, Combination.of(plan, channel, elements, time, memory));
        };
    }
}
