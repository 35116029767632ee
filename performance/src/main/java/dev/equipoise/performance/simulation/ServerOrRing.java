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
 * One exchange of a network's gradients, through a server or around a ring, between ranks that are
 * all ready (Zhu, Liu and Fang, Computer Applications and Software 2020(1); docs/algorithms.md,
 * section 12.2, S5). As in the paper, the server is one of the ranks and contributes no gradient.
 * Additions cost nothing.
 *
 * @param ranks with the server
 */
public record ServerOrRing(CommunicationModel network, int ranks, Links links) {

    /** Bandwidth of the paper's links, in bytes per second. */
    public static final double PUBLISHED_BYTES_PER_SECOND = 14e9;

    /**
     * Latency of a message. The paper does not state it; this is the value of the preset {@code
     * ps-vs-ring-communication}.
     */
    public static final double ASSUMED_LATENCY_SECONDS = 5e-6;

    private static final int MIN_RANKS = 2;

    public ServerOrRing {
        if (ranks < MIN_RANKS) {
            throw new IllegalArgumentException(
                    "ranks %d is out of range: at least 2, server and replica".formatted(ranks));
        }
    }

    /** Creates an exchange over the paper's links. */
    public static ServerOrRing published(CommunicationModel network, int ranks) {
        return new ServerOrRing(
                network,
                ranks,
                Links.uniform(ASSUMED_LATENCY_SECONDS, 1 / PUBLISHED_BYTES_PER_SECOND));
    }

    /** Returns the seconds of a ring all-reduce. */
    public double ringSeconds() {
        return allReduceSeconds(Algorithm.RING);
    }

    /**
     * Returns the seconds of an all-reduce by recursive doubling, which the stock MPI_Allreduce of
     * the paper is taken for; the paper does not name its algorithm.
     */
    public double recursiveDoublingSeconds() {
        return allReduceSeconds(Algorithm.RECURSIVE_DOUBLING);
    }

    private double allReduceSeconds(Algorithm algorithm) {
        return seconds(Topology.AllReduce.by(algorithm), ranks, vectorBytes(), Serving.AT_ONCE);
    }

    /** Returns the seconds of a server that gathers and broadcasts the whole vector. */
    public double serverSeconds(Way way) {
        return seconds(server(false), ranks - 1, vectorBytes(), Serving.by(way));
    }

    /** Returns the seconds of a server that gathers and broadcasts layer by layer. */
    public double layeredSeconds(Way way) {
        return piecewiseSeconds(way, network.layerSizes());
    }

    /**
     * Returns the seconds of a server that gathers and broadcasts tensor by tensor, as Caffe keeps
     * them.
     */
    public double tensorwiseSeconds(Way way) {
        return piecewiseSeconds(way, network.tensorSizes());
    }

    /** Goes from the last piece to the first, the order in which gradients are computed. */
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
