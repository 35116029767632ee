package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;

/** Makes the all-reduce that is asked for. */
public final class AllReduces {

    private AllReduces() {}

    /**
     * As the other one, of which nothing is noted.
     *
     * @param memory must outlive it
     */
    public static AllReduce of(
            Algorithm algorithm, Channel channel, long maxElements, Time time, Arena memory) {
        return of(algorithm, channel, maxElements, time, Decisions.FREE, memory);
    }

    /**
     * An all-reduce of one algorithm; {@code AUTO} measures the links first, so that all ranks must
     * ask for it at once.
     *
     * @param maxElements of the longest vector that will come
     * @param decisions of the thread that sums: what the links are measured at decides
     * @param memory must outlive it
     */
    public static AllReduce of(
            Algorithm algorithm,
            Channel channel,
            long maxElements,
            Time time,
            Decisions decisions,
            Arena memory) {
        return switch (algorithm) {
            case RING -> new RingAllReduce(channel, memory);
            case TREE -> new TreeAllReduce(channel, memory);
            case FLAT -> new FlatAllReduce(channel, memory);
            case RECURSIVE_DOUBLING -> new RecursiveDoubling(channel, maxElements, memory);
            case HALVING_DOUBLING -> new HalvingDoubling(channel, memory);
            case HIERARCHICAL ->
                    new HierarchicalAllReduce(channel, Machines.of(channel, memory), memory);
            case AUTO ->
                    new AutoAllReduce(
                            Calibration.of(channel, time),
                            channel.size(),
                            decisions,
                            chosen -> of(chosen, channel, maxElements, time, decisions, memory));
        };
    }
}
