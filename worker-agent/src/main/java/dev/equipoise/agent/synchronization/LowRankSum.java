package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.PowerSgd;
import dev.equipoise.agent.codec.PowerSgdState;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** PowerSGD aggregator: two all-reduces of low-rank factors. */
final class LowRankSum implements VectorAggregator {

    private final PowerSgd powerSgd;
    private final AllReduce allReduce;
    private final int replicas;
    private final Instruments instruments;
    private final TrafficKind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment scaled;
    private final MemorySegment sum;
    private PowerSgdState state;

    LowRankSum(
            PowerSgd powerSgd,
            AllReduce allReduce,
            int replicas,
            Instruments instruments,
            TrafficKind kind,
            MemorySegment scaled,
            MemorySegment sum,
            RankStateRegistry registry,
            Arena memory) {
        this.powerSgd = powerSgd;
        this.allReduce = allReduce;
        this.replicas = replicas;
        this.instruments = instruments;
        this.kind = kind;
        this.scaled = scaled;
        this.sum = sum;
        this.state = powerSgd.initialState(memory);
        registry.residual(state.residual());
        registry.vector(state.right());
        registry.number(() -> state.round(), it -> state = state.at(it));
    }

    /** Computes the mean of P times the scaled vectors, which is their sum. */
    @Override
    public MemorySegment of(MemorySegment vector, double factor, double gradientScale) {
        PlainSum.scaled(scale, vector, factor * replicas, scaled);
        state = powerSgd.agree(state, scaled, this::mean, sum);
        instruments.end(Phase.ENCODE);
        return sum;
    }

    private void mean(MemorySegment factors) {
        scale.scale(factors, 1f / replicas, factors);
        instruments.end(Phase.ENCODE);
        allReduce.sum(factors);
        instruments.endExchange(kind, List.of());
    }
}
