package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.collective.VectorSum;
import dev.equipoise.agent.collective.WeightedMean;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;

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
    static Combination of(TrainingPlan plan, Channel channel, long elements) {
        AllReduce allReduce = allReduce(plan, channel, elements + 1);
        return switch (plan.loss().reduction()) {
            case MEAN -> new WeightedMean(allReduce, elements)::of;
            case SUM -> {
                VectorSum sum = new VectorSum(allReduce, elements);
                yield (gradient, _) -> sum.of(gradient);
            }
        };
    }

    private static AllReduce allReduce(TrainingPlan plan, Channel channel, long maxElements) {
        return switch (plan.compression()) {
            case Compression.None _ -> plain(plan.topology(), channel, maxElements);
        };
    }

    private static AllReduce plain(Topology topology, Channel channel, long maxElements) {
        return switch (topology) {
            case Topology.AllReduce(Topology.Algorithm algorithm) ->
                    switch (algorithm) {
                        case RING -> new RingAllReduce(channel, maxElements);
                    };
        };
    }
}
