package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.gossip.MixingRow;
import dev.equipoise.agent.gossip.NeighborExchange;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.TrafficKind;
import java.lang.foreign.MemorySegment;

/** Mixer of uncompressed float32 vectors. */
final class PlainMixer implements Mixer {

    private final NeighborExchange neighbors;
    private final int rank;
    private final Instruments instruments;
    private final TrafficKind kind;
    private long exchange;

    PlainMixer(
            NeighborExchange neighbors,
            int rank,
            RankStateRegistry registry,
            Instruments instruments,
            TrafficKind kind) {
        this.neighbors = neighbors;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
        registry.number(() -> exchange, it -> exchange = it);
    }

    /** Mixing overlaps with the transfer of slices, and counts as transfer. */
    @Override
    public void mix(MemorySegment vector, double gradientScale) {
        MixingRow mixingRow = neighbors.mix(vector, exchange);
        instruments.endExchange(kind, mixingRow.participants(rank));
        exchange++;
    }
}
