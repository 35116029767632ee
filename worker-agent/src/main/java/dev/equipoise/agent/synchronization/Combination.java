package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.collective.VectorSum;
import dev.equipoise.agent.collective.WeightedMean;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Makes one gradient of those of all ranks. */
@FunctionalInterface
interface Combination {

    /**
     * Exchanges with all ranks.
     *
     * @param samples behind this rank's gradient
     * @return a view that the next call overwrites
     */
    MemorySegment of(MemorySegment gradient, int samples);

    /** Means are weighted by their samples; sums are summed. */
    static Combination of(
            TrainingPlan plan, Channel channel, long elements, Time time, Arena memory) {
        AllReduce allReduce = allReduce(plan, channel, elements + 1, time, memory);
        return switch (plan.loss().reduction()) {
            case MEAN -> new WeightedMean(allReduce, elements, memory)::of;
            case SUM -> {
                VectorSum sum = new VectorSum(allReduce, elements, memory);
                yield (gradient, _) -> sum.of(gradient);
            }
        };
    }

    private static AllReduce allReduce(
            TrainingPlan plan, Channel channel, long maxElements, Time time, Arena memory) {
        return switch (plan.compression()) {
            case Compression.None _ -> plain(plan, channel, maxElements, time, memory);
        };
    }

    private static AllReduce plain(
            TrainingPlan plan, Channel channel, long maxElements, Time time, Arena memory) {
        return switch (plan.topology()) {
            case Topology.AllReduce(var _, var order) when order == Topology.Order.BY_LINK ->
                    new RingAllReduce(channel, order(plan, channel.size(), maxElements), memory);
            case Topology.AllReduce(var algorithm, var _) ->
                    AllReduces.of(algorithm, channel, maxElements, time, memory);
        };
    }

    /** For the chunks that go round. */
    private static List<Integer> order(TrainingPlan plan, int ranks, long elements) {
        return LinkMatrix.of(ranks, plan.links()).ringOrder(elements * Float.BYTES / ranks);
    }
}
