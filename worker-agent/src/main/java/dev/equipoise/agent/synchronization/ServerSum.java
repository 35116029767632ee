package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.server.RemoteParameters;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** By servers, each of which sums its part of all replicas' vectors. */
final class ServerSum implements Summation {

    private final RemoteParameters servers;
    private final List<Integer> replicas;
    private final Instruments instruments;
    private final Kind kind;
    private final FloatScale scale = FloatScale.fastest();
    private final MemorySegment scaled;
    private final MemorySegment sum;

    /**
     * @param scaled what it computes in, as long as the vectors, as is {@code sum}
     */
    ServerSum(
            RemoteParameters servers,
            List<Integer> replicas,
            Instruments instruments,
            Kind kind,
            MemorySegment scaled,
            MemorySegment sum) {
        this.servers = servers;
        this.replicas = replicas;
        this.instruments = instruments;
        this.kind = kind;
        this.scaled = scaled;
        this.sum = sum;
    }

    /** A codec's work goes on while shards move, and counts as transfer. */
    @Override
    public MemorySegment of(MemorySegment vector, double factor) {
        PlainSum.scaled(scale, vector, factor, scaled);
        instruments.end(Phase.APPLY);
        servers.exchange(scaled, sum);
        instruments.endExchange(kind, replicas);
        return sum;
    }
}
