package dev.equipoise.app.experiment;

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
import java.util.stream.IntStream;

/** Over which links they agree: what that wants of the rest. */
final class TopologyChecks {

    private final Choices choices;
    private final RunConfiguration configuration;
    private final Method method;

    TopologyChecks(Choices choices) {
        this.choices = choices;
        this.configuration = choices.configuration();
        this.method = choices.configuration().method();
    }

    void check() {
        switch (method.topology()) {
            case Topology.AllReduce _ -> {}
            case Topology.ParameterServer server -> checkServers(server);
            case Gossip gossip -> checkGossip(gossip);
        }
    }

    private void checkServers(Topology.ParameterServer server) {
        choices.require(
                server.aggregate() == Topology.Aggregate.MEAN
                        || method.synchronization() instanceof Synchronization.Bsp,
                "topology/aggregate",
                "must be mean unless synchronization is bsp: weights are not summed,"
                        + " and gradients that come alone have no sum");
        boolean cuts = server.servers() > 1 || server.perLayer();
        choices.require(
                !(cuts
                        && appliesOnArrival()
                        && configuration.training().optimizer().clipping()
                                instanceof Clipping.Norm),
                "training/optimizer/clipping",
                "must not be norm where parts of a gradient are applied on arrival, each of which"
                        + " would have a norm of its own");
    }

    private boolean appliesOnArrival() {
        return method.synchronization() instanceof Synchronization.Async
                || method.synchronization() instanceof Synchronization.StaleSynchronous;
    }

    private void checkGossip(Gossip gossip) {
        int replicas = configuration.workers().replicas();
        choices.require(replicas > 1, "workers/replicas", "must be at least 2 for gossip");
        if (gossip.schedule() instanceof Partners.Fixed(int distance)) {
            choices.require(
                    distance % Math.max(1, replicas) != 0,
                    "topology/schedule/distance",
                    "must not lead back to the rank itself");
            choices.require(
                    meets(gossip, distance, replicas),
                    "topology/schedule/distance",
                    "must have no divisor in common with the %d replicas, which else fall into groups"
                                    .formatted(replicas)
                            + " that never hear of each other");
        }
        checkGossipOfFewer(gossip);
        choices.require(
                gossip.mixing() != Mixing.PUSH_SUM || gossip.payload() == Payload.WEIGHTS,
                "topology/payload",
                "must be weights for push-sum, which moves these with their mass");
        choices.require(
                gossip.globalAverageEvery() == 0 || gossip.mixing() != Mixing.PUSH_SUM,
                "topology/globalAverageEvery",
                "must be 0 for push-sum, whose weights and mass would have to be averaged alike");
        choices.require(
                gossip.mixing() != Mixing.PUSH_SUM
                        || !(gossip.schedule() instanceof Partners.Linear(boolean literalPairing))
                        || !literalPairing,
                "topology/schedule/literalPairing",
                "must be false for push-sum, which tells one partner alone");
        if (gossip.mixing() == Mixing.METROPOLIS) {
            requireShares();
        }
        if (gossip.payload() == Payload.GRADIENT
                && method.synchronization() instanceof LocalSgd local) {
            choices.require(
                    local.order() == Order.STEP_THEN_AVERAGE && local.momentum() == Momentum.LOCAL,
                    "synchronization",
                    "must have its usual order and momentum where gradients are exchanged: nothing"
                            + " is averaged before or after the step");
        }
        if (gossip.mixing() == Mixing.PUSH_SUM
                && method.synchronization() instanceof LocalSgd local) {
            choices.require(
                    local.order() == Order.STEP_THEN_AVERAGE && local.momentum() == Momentum.LOCAL,
                    "synchronization",
                    "must have its usual order and momentum for push-sum");
        }
    }

    /** Those that are left when others are lost go on with the same partners by distance. */
    private void checkGossipOfFewer(Gossip gossip) {
        RunConfiguration.Workers workers = configuration.workers();
        choices.require(
                workers.minimum() > 1 || workers.replicas() == 1,
                "workers/minimum",
                "must be at least 2 for gossip");
        if (gossip.schedule() instanceof Partners.Fixed(int distance)) {
            choices.require(
                    IntStream.range(Math.max(2, workers.minimum()), workers.replicas())
                            .allMatch(fewer ->
                                    distance % fewer != 0 && meets(gossip, distance, fewer)),
                    "workers/minimum",
                    "must be the number of replicas for partners at distance %d, which is none to fewer of them, or parts these into groups"
                            .formatted(distance));
        }
    }

    /** Whether what one of some replicas tells comes to all of them. */
    private static boolean meets(Gossip gossip, int distance, int replicas) {
        return gossip.globalAverageEvery() > 0 || gcd(distance, replicas) == 1;
    }

    /** Of functional shares nobody knows before the run is placed. */
    private void requireShares() {
        choices.require(
                !(configuration.partitioning() instanceof Partitioning.BatchCounts(var counts))
                        || Partitioner.inProportion(configuration.dataset().limit(), counts)
                                .stream()
                                .allMatch(share -> share > 0),
                "topology/mixing",
                "must not be metropolis where a replica has no samples, by which each would count");
    }

    private static int gcd(int one, int other) {
        return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).intValue();
    }
}
