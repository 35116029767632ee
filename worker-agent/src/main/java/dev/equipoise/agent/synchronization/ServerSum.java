package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.server.RemoteParameters;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Aggregator at parameter servers, each of which sums its part of all replicas' vectors. */
final class ServerSum implements VectorAggregator {

    private final RemoteParameters servers;
    private final List<Integer> replicas;
    private final Instruments instruments;
    private final TrafficKind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment scaled;
    private final MemorySegment sum;

    /**
     * @param scaled memory as long as the vectors, like {@code sum}
     */
    ServerSum(
            RemoteParameters servers,
            List<Integer> replicas,
            Instruments instruments,
            TrafficKind kind,
            MemorySegment scaled,
            MemorySegment sum) {
        this.servers = servers;
        this.replicas = replicas;
        this.instruments = instruments;
        this.kind = kind;
        this.scaled = scaled;
        this.sum = sum;
    }

    /** Coding overlaps with the transfer of shards, and counts as transfer. */
    @Override
    public MemorySegment of(MemorySegment vector, double factor, double gradientScale) {
        PlainSum.scaled(scale, vector, factor, scaled);
        instruments.end(Phase.APPLY);
        servers.exchange(scaled, factor * gradientScale, sum);
        instruments.endExchange(kind, replicas);
        return sum;
    }
}
