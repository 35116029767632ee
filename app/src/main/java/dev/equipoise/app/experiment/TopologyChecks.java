package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Parallelism.WantedWorkers;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;

/** Checks what the topology requires of the other choices. */
final class TopologyChecks {

    private final ValidationContext context;
    private final RunConfiguration configuration;
    private final Method method;

    TopologyChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
        this.method = context.configuration().method();
    }

    void check() {
        switch (method.topology()) {
            case Topology.AllReduce _ -> {}
            case Topology.ParameterServer server -> checkServers(server);
            case Gossip gossip -> checkGossip(gossip);
        }
    }

    private void checkServers(Topology.ParameterServer server) {
        context.require(
                server.aggregate() == Topology.Aggregate.MEAN
                        || method.synchronization() instanceof Synchronization.Bsp,
                "topology/aggregate",
                "must be mean unless synchronization is bsp: weights are not summed,"
                        + " and gradients that arrive alone have no sum");
        checkClipping(server);
    }

    private void checkClipping(Topology.ParameterServer server) {
        boolean isSharded = server.servers() > 1 || server.perLayer();
        context.require(
                !(isSharded
                        && appliesOnArrival()
                        && configuration.training().optimizer().clipping()
                                instanceof Clipping.Norm),
                "training/optimizer/clipping",
                "must not be norm if parts of a gradient are applied on arrival, each of which"
                        + " would have a norm of its own");
    }

    private boolean appliesOnArrival() {
        return method.synchronization() instanceof Synchronization.Async
                || method.synchronization() instanceof Synchronization.StaleSynchronous;
    }

    private void checkGossip(Gossip gossip) {
        checkPartners(gossip);
        checkGossipAfterLoss(gossip);
        checkPushSum(gossip);
        if (gossip.mixing() == Mixing.METROPOLIS) {
            requireShares();
        }
        if (method.synchronization() instanceof LocalSgd local) {
            checkLocalSgd(gossip, local);
        }
    }

    private void checkPartners(Gossip gossip) {
        int replicas = configuration.workers().replicas();
        context.require(replicas > 1, "workers/replicas", "must be at least 2 for gossip");
        if (gossip.schedule() instanceof Partners.Fixed(int distance)) {
            checkDistance(gossip, distance, replicas);
        }
    }

    private void checkDistance(Gossip gossip, int distance, int replicas) {
        context.require(
                distance % Math.max(1, replicas) != 0,
                "topology/schedule/distance",
                "must not be a multiple of the number of replicas");
        context.require(
                reachesAll(gossip, distance, replicas),
                "topology/schedule/distance",
                "must have no divisor in common with the %d replicas: they would form groups"
                                .formatted(replicas)
                        + " that never exchange");
    }

    private void checkPushSum(Gossip gossip) {
        if (gossip.mixing() != Mixing.PUSH_SUM) {
            return;
        }
        context.require(
                gossip.payload() == Payload.WEIGHTS,
                "topology/payload",
                "must be weights for push-sum, which sends weights with their mass");
        context.require(
                gossip.globalAverageEvery() == 0,
                "topology/globalAverageEvery",
                "must be 0 for push-sum, which would have to average weights and mass");
        context.require(
                !(gossip.schedule() instanceof Partners.Linear(boolean literalPairing))
                        || !literalPairing,
                "topology/schedule/literalPairing",
                "must be false for push-sum, which sends to one partner");
    }

    private void checkLocalSgd(Gossip gossip, LocalSgd local) {
        boolean isDefault =
                local.order() == Order.STEP_THEN_AVERAGE && local.momentum() == Momentum.LOCAL;
        context.require(
                isDefault || gossip.payload() != Payload.GRADIENT,
                "synchronization",
                "must have the default order and momentum if gradients are exchanged: nothing is"
                        + " averaged before or after the step");
        context.require(
                isDefault || gossip.mixing() != Mixing.PUSH_SUM,
                "synchronization",
                "must have the default order and momentum for push-sum");
    }

    /** The survivors of a loss keep the same partner schedule. */
    private void checkGossipAfterLoss(Gossip gossip) {
        WantedWorkers workers = configuration.workers();
        context.require(
                workers.minimum() > 1 || workers.replicas() == 1,
                "workers/minimum",
                "must be at least 2 for gossip");
        if (gossip.schedule() instanceof Partners.Fixed(int distance)) {
            checkDistanceAfterLoss(gossip, distance, workers);
        }
    }

    private void checkDistanceAfterLoss(Gossip gossip, int distance, WantedWorkers workers) {
        context.require(
                IntStream.range(Math.max(2, workers.minimum()), workers.replicas())
                        .allMatch(fewer ->
                                distance % fewer != 0 && reachesAll(gossip, distance, fewer)),
                "workers/minimum",
                "must be the number of replicas for partners at distance %d, which would leave fewer replicas without a partner or in separate groups"
                        .formatted(distance));
    }

    /** Tells whether exchanges spread to all replicas. */
    private static boolean reachesAll(Gossip gossip, int distance, int replicas) {
        return gossip.globalAverageEvery() > 0 || gcd(distance, replicas) == 1;
    }

    private void requireShares() {
        int without = sharesAtSubmission().indexOf(0);
        context.require(
                without < 0,
                "topology/mixing",
                "must not be metropolis if a replica has no samples, which would be its weight:"
                        + " replica %d has a share of 0 of the %d samples; take more samples, fewer"
                                .formatted(without, configuration.dataset().limit())
                        + " replicas, less unequal shares, or uniform mixing");
    }

    /**
     * Returns the shares of the replicas as far as they are known before the run is placed. The
     * allocator gives each replica at least one sample of functional shares if there are as many as
     * replicas, as of equal ones.
     */
    private List<Integer> sharesAtSubmission() {
        int samples = configuration.dataset().limit();
        int replicas = configuration.workers().replicas();
        return switch (configuration.partitioning()) {
            case Partitioning.BatchCounts(var counts) when counts.size() == replicas ->
                    Partitioner.inProportion(samples, counts);
            case Partitioning.Constant(var speeds) when speeds.size() == replicas ->
                    Partitioner.inProportion(
                            samples, speeds.stream().mapToDouble(Double::doubleValue).toArray());
            default -> Partitioner.equal(samples, replicas);
        };
    }

    private static int gcd(int one, int other) {
        return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).intValue();
    }
}
