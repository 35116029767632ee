package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/*
 * ALGORITHMS section 6, per-link rate: replica i, whose link moves Bw_i bytes a second, sends the share
 * rho_i = min(1, T Bw_i / m) of m bytes, so that all that send a part take the same time T. Bisection
 * finds the T for which the mean of the shares is the one asked for.
 */
/** How large a share each replica sends, so that slow links hold up nobody. */
record LinkShares(TrainingPlan plan) {

    private static final double BYTES_PER_MEGABYTE = 1e6;

    /** Of a link about which nothing is known: far below any that is. */
    private static final double LEAST_SECONDS_PER_BYTE = 1e-12;

    /** As many as halve any interval to two neighbouring numbers, or nearly. */
    private static final int HALVINGS = 200;

    /**
     * The share of a rank; that asked for where the rank trains none.
     *
     * @param mean over all replicas, at most 1
     */
    double of(int rank, double mean) {
        int servers = plan.method().topology().servers();
        List<Double> bandwidths =
                IntStream.range(servers, plan.division().ranks())
                        .mapToObj(this::bandwidth)
                        .toList();
        return rank < servers ? mean : shares(mean, bandwidths).get(rank - servers);
    }

    /** One for each bandwidth, as large as its link is fast, but none above 1. */
    static List<Double> shares(double mean, List<Double> bandwidths) {
        double low = 0;
        double high = 1 / bandwidths.stream().mapToDouble(it -> it).min().orElse(1);
        for (int i = 0; i < HALVINGS; i++) {
            double middle = low + (high - low) / 2;
            if (mean(middle, bandwidths) < mean) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double time = high;
        return bandwidths.stream().map(it -> Math.min(1, time * it)).toList();
    }

    private static double mean(double time, List<Double> bandwidths) {
        return bandwidths.stream().mapToDouble(it -> Math.min(1, time * it)).average().orElse(0);
    }

    /** Of a replica to all with whom it exchanges, one as often as another. */
    private double bandwidth(int replica) {
        OptionalDouble mean =
                partners(replica)
                        .filter(partner -> partner != replica)
                        .mapToDouble(partner -> secondsPerByte(replica, partner))
                        .average();
        return 1 / mean.orElse(LEAST_SECONDS_PER_BYTE);
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

    /** What was measured, or given, but no less than what the link is held back to. */
    private double secondsPerByte(int rank, int peer) {
        double heldBackTo =
                LinkLimit.of(plan.limits(), rank, peer)
                        .map(LinkLimit::megabytesPerSecond)
                        .map(LinkShares::secondsPerByte)
                        .orElse(0.0);
        return Math.max(
                Math.max(LEAST_SECONDS_PER_BYTE, heldBackTo),
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
