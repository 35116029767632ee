package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Serving.Way;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.network.CommunicationModel;
import java.util.Collections;
import java.util.List;

/**
 * One exchange of a network's gradients, by a server or around a ring, between ranks that are all
 * ready (Zhu, Liu and Fang, Computer Applications and Software 2020(1)). The server is one of the
 * ranks and brings none, as in the paper; sums cost nothing.
 *
 * @param ranks the server's included
 */
public record ServerOrRing(CommunicationModel network, int ranks, Links links) {

    /** Bytes a second of the paper's links. */
    public static final double PUBLISHED_BYTES_PER_SECOND = 14e9;

    /** Of a message. The paper tells none: this is the one of the preset of this comparison. */
    public static final double ASSUMED_LATENCY_SECONDS = 5e-6;

    private static final int FEWEST_RANKS = 2;

    public ServerOrRing {
        if (ranks < FEWEST_RANKS) {
            throw new IllegalArgumentException(
                    "a server and a replica are 2 ranks, but there are " + ranks);
        }
    }

    /** Over the paper's links. */
    public static ServerOrRing published(CommunicationModel network, int ranks) {
        return new ServerOrRing(
                network,
                ranks,
                Links.uniform(ASSUMED_LATENCY_SECONDS, 1 / PUBLISHED_BYTES_PER_SECOND));
    }

    /** Seconds around a ring. */
    public double ringSeconds() {
        return seconds(
                Topology.AllReduce.by(Algorithm.RING), ranks, vectorBytes(), Serving.AT_ONCE);
    }

    /** Seconds by a server that gathers and broadcasts the vector as a whole. */
    public double serverSeconds(Way way) {
        return seconds(server(false), ranks - 1, vectorBytes(), Serving.by(way));
    }

    /** Seconds by a server that gathers and broadcasts each layer before the next. */
    public double layeredSeconds(Way way) {
        return piecewiseSeconds(way, network.layerSizes());
    }

    /** Seconds by a server that gathers and broadcasts each tensor before the next, as Caffe's. */
    public double tensorwiseSeconds(Way way) {
        return piecewiseSeconds(way, network.tensorSizes());
    }

    /** Last to first, as gradients come. */
    private double piecewiseSeconds(Way way, List<Integer> sizes) {
        List<Long> pieces =
                sizes.reversed().stream().map(size -> (long) Float.BYTES * size).toList();
        return seconds(
                server(true),
                ranks - 1,
                pieces.stream().mapToLong(Long::longValue).sum(),
                new Serving(way, pieces));
    }

    private long vectorBytes() {
        return (long) Float.BYTES * network.parameterCount();
    }

    private static Topology server(boolean perLayer) {
        return new Topology.ParameterServer(1, perLayer, Topology.Aggregate.MEAN);
    }

    private double seconds(Topology topology, int replicas, long bytes, Serving serving) {
        var method = new Method(new Synchronization.Bsp(), topology, new Compression.None());
        return Simulator.run(
                        new Scenario(
                                method,
                                1,
                                Collections.nCopies(replicas, 0.0),
                                Collections.nCopies(replicas, 1),
                                Noise.NONE,
                                links,
                                Traffic.of(bytes),
                                serving),
                        1)
                .seconds();
    }
}
