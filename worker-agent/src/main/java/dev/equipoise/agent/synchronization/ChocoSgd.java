package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.gossip.FrameExchange;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.MixingRow;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.RunReport.Strand;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/*
 * Koloskova, Stich and Jaggi 2019, Decentralized stochastic optimization and gossip algorithms with
 * compressed communication, arXiv 1902.00340, algorithm 2 (docs/algorithms.md, section 6):
 *
 *   q_i = C(x_i - xhat_i),   xhat_j += q_j,   x_i += gamma sum_j K_ij (xhat_j - xhat_i)
 *
 * Each rank keeps a copy xhat_j of what every neighbor has sent, so that the neighbors must stay
 * the same. Theorem 2 requires a small gamma for a coarse C. Its bound is far too small in practice
 * (section 5 of the paper tunes gamma); here gamma is the root of the fraction if C selects a
 * fraction, and 1/2 otherwise.
 */
/** CHOCO-SGD: gossips the compressed change of the weights to constant neighbors. */
final class ChocoSgd implements WeightAverager {

    private final FrameExchange frames;
    private final FrameCoder coder;
    private final int rank;
    private final float gamma;
    private final Instruments instruments;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment change;

    /**
     * Copy of this rank's weights that all neighbors hold, and this rank's copies of its neighbors.
     */
    private final MemorySegment ownCopy;

    private final List<MemorySegment> copiesOfNeighbors;
    private long exchange;

    private ChocoSgd(
            FrameExchange frames,
            FrameCoder coder,
            int rank,
            float gamma,
            Instruments instruments,
            MemorySegment change,
            MemorySegment ownCopy,
            List<MemorySegment> copiesOfNeighbors,
            RankStateRegistry registry) {
        this.frames = frames;
        this.coder = coder;
        this.rank = rank;
        this.gamma = gamma;
        this.instruments = instruments;
        this.change = change;
        this.ownCopy = ownCopy;
        this.copiesOfNeighbors = copiesOfNeighbors;
        registry.vector(ownCopy);
        copiesOfNeighbors.forEach(registry::vector);
        registry.number(() -> exchange, it -> exchange = it);
    }

    /** Creates the averager; all ranks begin with the same weights, which are the first copies. */
    static ChocoSgd of(
            RankContext context, Schedule schedule, Mixing mixing, Compression compression) {
        var aggregators = new VectorAggregators(context, context.instruments(), Strand.MAIN);
        FrameCoder coder = aggregators.coderWithoutFeedback(compression);
        return new ChocoSgd(
                new FrameExchange(
                        context.channel(),
                        schedule,
                        mixing,
                        aggregators.largestPayload(coder.codec()),
                        context.memory()),
                coder,
                context.rank(),
                gamma(compression),
                context.instruments(),
                context.vector(),
                context.vector().copyFrom(context.weights()),
                IntStream.range(0, 2)
                        .mapToObj(_ -> context.vector().copyFrom(context.weights()))
                        .toList(),
                context.registry());
    }

    private static float gamma(Compression compression) {
        return switch (compression) {
            case Compression.TopK(double fraction, var _) -> (float) Math.sqrt(fraction);
            case Compression.AdaptiveThreshold(double fraction, var _) ->
                    (float) Math.sqrt(fraction);
            default -> 0.5f;
        };
    }

    @Override
    public void on(MemorySegment weights, double aggregationWeight, double gradientScale) {
        scale.scale(ownCopy, -1, change);
        sum.add(change, 0, weights, 0, weights.byteSize());
        instruments.end(Phase.APPLY);
        Frame own = coder.encode(change, gradientScale, frames.own());
        coder.add(own, rank, 1, ownCopy);
        instruments.end(Phase.ENCODE);
        MixingRow mixingRow = frames.exchange(own, exchange++);
        instruments.endExchange(TrafficKind.WEIGHTS, mixingRow.participants(rank));
        for (int i = 0; i < mixingRow.parts().size(); i++) {
            MixingRow.Part part = mixingRow.parts().get(i);
            coder.add(frames.frame(i), part.from(), 1, copiesOfNeighbors.get(i));
            instruments.end(Phase.ENCODE);
            moveTowards(copiesOfNeighbors.get(i), gamma * (float) part.weight(), weights);
        }
        instruments.end(Phase.APPLY);
    }

    private void moveTowards(MemorySegment other, float factor, MemorySegment weights) {
        scale.scale(other, factor, change);
        sum.add(weights, 0, change, 0, change.byteSize());
        scale.scale(ownCopy, -factor, change);
        sum.add(weights, 0, change, 0, change.byteSize());
    }
}
