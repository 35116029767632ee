package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.performance.cost.BandwidthShares;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Shares of a vector that the replicas send, by {@link BandwidthShares} of the links to their
 * partners.
 */
record LinkShares(TrainingPlan plan) {

    private static final double BYTES_PER_MEGABYTE = 1e6;

    /** Lower bound, for links without data: far below any real link, in seconds per byte. */
    private static final double MIN_SECONDS_PER_BYTE = 1e-12;

    /**
     * Returns the share of a rank; the wanted mean for a server.
     *
     * @param mean over all replicas, at most 1
     */
    double of(int rank, double mean) {
        int servers = plan.method().topology().servers();
        List<Double> bandwidths =
                IntStream.range(servers, plan.division().ranks())
                        .mapToObj(this::bandwidth)
                        .toList();
        return rank < servers ? mean : BandwidthShares.of(mean, bandwidths).get(rank - servers);
    }

    /** Returns the mean bandwidth of a replica to all its partners, each with equal weight. */
    private double bandwidth(int replica) {
        OptionalDouble mean =
                partners(replica)
                        .filter(partner -> partner != replica)
                        .mapToDouble(partner -> secondsPerByte(replica, partner))
                        .average();
        return 1 / mean.orElse(MIN_SECONDS_PER_BYTE);
    }

    private IntStream partners(int replica) {
        int ranks = plan.division().ranks();
        return switch (plan.method().topology()) {
            case Topology.ParameterServer server -> IntStream.range(0, server.servers());
            case Topology.Gossip(Partners.Fixed(int distance), var _, var _, var _) ->
                    IntStream.of(
                            Math.floorMod(replica - distance, ranks), (replica + distance) % ranks);
            case Topology.Gossip _, Topology.AllReduce _ -> IntStream.range(0, ranks);
        };
    }

    /** Returns the measured or given seconds per byte, but at least those of the link limit. */
    private double secondsPerByte(int rank, int peer) {
        double limited =
                LinkLimit.of(plan.limits(), rank, peer)
                        .map(LinkLimit::megabytesPerSecond)
                        .map(LinkShares::secondsPerByte)
                        .orElse(0.0);
        return Math.max(
                Math.max(MIN_SECONDS_PER_BYTE, limited),
                switch (plan.execution()) {
                    case Execution.Virtual virtual ->
                            secondsPerByte(virtual.link().megabytesPerSecond());
                    case Execution.Real _, Execution.Replay _ -> measured(rank, peer);
                });
    }

    private double measured(int rank, int peer) {
        return plan.links().isEmpty()
                ? 0
                : LinkMatrix.of(plan.division().ranks(), plan.links()).cost(rank, peer).beta();
    }

    private static double secondsPerByte(double megabytesPerSecond) {
        return 1 / (megabytesPerSecond * BYTES_PER_MEGABYTE);
    }
}
