package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.gossip.Mixture;
import dev.equipoise.agent.gossip.NeighbourExchange;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import java.lang.foreign.MemorySegment;

/** In float32. */
final class PlainMixer implements Mixer {

    private final NeighbourExchange neighbours;
    private final int rank;
    private final Instruments instruments;
    private final Kind kind;
    private long exchange;

    PlainMixer(
            NeighbourExchange neighbours,
            int rank,
            Remembered remembered,
            Instruments instruments,
            Kind kind) {
        this.neighbours = neighbours;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
        remembered.number(() -> exchange, it -> exchange = it);
    }

    /** Mixing goes on while slices move, and counts as transfer. */
    @Override
    public void mix(MemorySegment vector) {
        Mixture mixture = neighbours.mix(vector, exchange);
        instruments.endExchange(kind, mixture.participants(rank));
        exchange++;
    }
}
