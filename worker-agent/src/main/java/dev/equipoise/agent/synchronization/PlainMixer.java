package dev.equipoise.agent.synchronization;

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

    PlainMixer(NeighbourExchange neighbours, int rank, Instruments instruments, Kind kind) {
        this.neighbours = neighbours;
        this.rank = rank;
        this.instruments = instruments;
        this.kind = kind;
    }

    /** Mixing goes on while slices move, and counts as transfer. */
    @Override
    public void mix(MemorySegment vector) {
        neighbours.mix(vector, exchange);
        instruments.endExchange(kind, neighbours.mixture(exchange).participants(rank));
        exchange++;
    }
}
