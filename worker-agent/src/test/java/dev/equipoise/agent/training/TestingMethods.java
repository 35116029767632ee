package dev.equipoise.agent.training;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import java.util.stream.IntStream;

/** Methods and plans of a tiny network, and the distance of its weights. */
final class TestingMethods {

    static final int CLASSES = 4;

    static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(6, 6, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(8),
                            new Layer.Relu(),
                            new Layer.Dense(CLASSES)));

    static final Topology RING = Topology.AllReduce.by(Algorithm.RING);
    static final Compression NONE = new Compression.None();

    private TestingMethods() {}

    static Method bsp(Topology topology, Compression compression) {
        return new Method(new Synchronization.Bsp(), topology, compression);
    }

    static Method local(int period, Topology topology, Compression compression) {
        return new Method(
                new LocalSgd(period, Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                topology,
                compression);
    }

    static Method gossip(int period, Payload payload, Mixing mixing, Compression compression) {
        return local(period, new Gossip(new Partners.Fixed(1), payload, mixing, 0), compression);
    }

    static Method async(int maxStaleness, Weighting weighting, Compression compression) {
        return new Method(
                new Synchronization.Async(maxStaleness, weighting, new StalenessCorrection.None()),
                RING,
                compression);
    }

    static Topology servers(int count) {
        return new Topology.ParameterServer(count, false, Topology.Aggregate.MEAN);
    }

    /**
     * Returns a plan.
     *
     * @param shares of the replicas, behind the servers
     */
    static TrainingPlan plan(
            Method method, List<Integer> shares, int rounds, int epochs, OptimizerSpec optimizer) {
        int samples = shares.stream().mapToInt(Integer::intValue).sum();
        int servers = method.topology().servers();
        List<Integer> ofRanks =
                IntStream.range(0, servers + shares.size())
                        .mapToObj(rank -> rank < servers ? 0 : shares.get(rank - servers))
                        .toList();
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(
                                new DatasetSpec.Synthetic(
                                        List.of(6, 6, 1), CLASSES, samples, 1, samples),
                                NETWORK,
                                optimizer,
                                EpochDivision.of(ofRanks, rounds)),
                        method),
                epochs);
    }

    /** Returns the largest difference of two weights. */
    static double distance(List<Float> one, List<Float> other) {
        return IntStream.range(0, one.size())
                .mapToDouble(i -> Math.abs(one.get(i) - other.get(i)))
                .max()
                .orElseThrow();
    }
}
