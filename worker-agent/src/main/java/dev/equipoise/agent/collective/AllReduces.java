package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;

/** Creates the all-reduce of an algorithm. */
public final class AllReduces {

    private AllReduces() {}

    /**
     * Creates an all-reduce whose choices are not recorded.
     *
     * @param memory must outlive the all-reduce
     */
    public static AllReduce of(
            Algorithm algorithm, Channel channel, long maxElements, Time time, Arena memory) {
        return of(algorithm, channel, maxElements, time, ChoiceSource.FREE, memory);
    }

    /**
     * Creates the all-reduce of an algorithm. {@code AUTO} measures the links first, so all ranks
     * must call this method at the same time.
     *
     * @param maxElements length of the longest vector
     * @param choices the source of choices of the summing thread: the algorithms that {@code AUTO}
     *     selects
     * @param memory must outlive the all-reduce
     */
    public static AllReduce of(
            Algorithm algorithm,
            Channel channel,
            long maxElements,
            Time time,
            ChoiceSource choices,
            Arena memory) {
        return switch (algorithm) {
            case RING -> new RingAllReduce(channel, memory);
            case TREE -> new TreeAllReduce(channel, memory);
            case FLAT -> new FlatAllReduce(channel, memory);
            case RECURSIVE_DOUBLING -> new RecursiveDoubling(channel, maxElements, memory);
            case HALVING_DOUBLING -> new HalvingDoubling(channel, memory);
            case HIERARCHICAL ->
                    new HierarchicalAllReduce(channel, RanksByHost.of(channel, memory), memory);
            case AUTO ->
                    new AutoAllReduce(
                            CostCalibration.of(channel, time),
                            channel.size(),
                            choices,
                            chosen -> of(chosen, channel, maxElements, time, choices, memory));
        };
    }
}
