package dev.equipoise.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.performance.simulation.Links;
import dev.equipoise.performance.simulation.Noise;
import dev.equipoise.performance.simulation.Scenario;
import dev.equipoise.performance.simulation.Simulator;
import dev.equipoise.performance.simulation.Timing;
import dev.equipoise.performance.simulation.Traffic;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.OwnStep;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the times of the simulator, which computes no gradients, with those of a virtual run.
 */
class PredictedTimeTest {

    private static final int SAMPLES = 480;
    private static final int ROUNDS = 24;
    private static final int REPLICAS = 4;
    private static final double SAMPLES_PER_SECOND = 500;
    private static final double ALPHA = 50e-6;
    private static final double MEGABYTES_PER_SECOND = 2;
    private static final List<Double> SLOW_DOWNS = List.of(1.0, 1.0, 1.5, 2.0);

    private static final Architecture NETWORK =
            new Architecture(
                    "two layers",
                    new Shape.Image(12, 12, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(64),
                            new Layer.Relu(),
                            new Layer.Dense(4)));
    private static final DatasetSpec DATA =
            new DatasetSpec.Synthetic(List.of(12, 12, 1), 4, SAMPLES, 1, SAMPLES);

    /** A bucket for each layer. */
    private static final Synchronization.Bsp OVERLAPPED =
            new Synchronization.Bsp(true, 0.001, 0.001);

    static Stream<Method> methods() {
        Topology server = new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN);
        Topology servers = new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN);
        Topology gossip =
                new Topology.Gossip(
                        new Topology.Partners.Fixed(1),
                        Topology.Payload.WEIGHTS,
                        Topology.Mixing.UNIFORM,
                        0);
        var local =
                new Synchronization.LocalSgd(
                        3, Synchronization.Order.STEP_THEN_AVERAGE, Synchronization.Momentum.LOCAL);
        var none = new StalenessCorrection.None();
        return Stream.of(
                of(new Synchronization.Bsp(), Topology.AllReduce.by(Algorithm.RING)),
                of(new Synchronization.Bsp(), Topology.AllReduce.by(Algorithm.RECURSIVE_DOUBLING)),
                of(new Synchronization.Bsp(), Topology.AllReduce.by(Algorithm.HALVING_DOUBLING)),
                of(OVERLAPPED, Topology.AllReduce.by(Algorithm.RING)),
                of(OVERLAPPED, servers),
                of(local, Topology.AllReduce.by(Algorithm.RING)),
                of(local, gossip),
                of(new Synchronization.Bsp(), server),
                of(new Synchronization.Bsp(), servers),
                of(new Synchronization.Async(null, Weighting.WEIGHTED, none), server),
                of(new Synchronization.StaleSynchronous(2, false, none), server),
                of(new Synchronization.StaleSynchronous(2, true, none), servers),
                of(
                        new Synchronization.Async(2, Weighting.WEIGHTED, none),
                        Topology.AllReduce.by(Algorithm.RING)),
                of(
                        new Synchronization.Async(
                                null, Weighting.WEIGHTED, none, 2, OwnStep.AT_ONCE),
                        Topology.AllReduce.by(Algorithm.RING)));
    }

    private static Method of(Synchronization synchronization, Topology topology) {
        return new Method(synchronization, topology, new Compression.None());
    }

    @ParameterizedTest
    @MethodSource("methods")
    void simulatorPredictsTheTimeOfAVirtualRun(Method method) throws Exception {
        Timing predicted = Simulator.run(scenario(method), 1);
        List<EpochFinished> simulated = simulate(method);

        double seconds =
                simulated.stream().mapToDouble(PredictedTimeTest::seconds).max().orElseThrow();
        assertThat(predicted.seconds()).isCloseTo(seconds, Percentage.withPercentage(5));
    }

    private static double seconds(EpochFinished epoch) {
        var phases = epoch.phases();
        return phases.computeSeconds()
                + phases.encodeSeconds()
                + phases.transferSeconds()
                + phases.waitSeconds()
                + phases.applySeconds();
    }

    private static Scenario scenario(Method method) {
        double samples = (double) SAMPLES / REPLICAS / ROUNDS;
        return new Scenario(
                        method,
                        ROUNDS,
                        SLOW_DOWNS.stream().map(it -> it * samples / SAMPLES_PER_SECOND).toList(),
                        Collections.nCopies(REPLICAS, 1),
                        Noise.NONE,
                        Links.uniform(ALPHA, 1e-6 / MEGABYTES_PER_SECOND),
                        Traffic.of(4L * NETWORK.parameterCount()))
                .in(
                        method.synchronization() instanceof Synchronization.Bsp bsp
                                ? GradientBucket.of(bsp, NETWORK)
                                : List.of());
    }

    private static List<EpochFinished> simulate(Method method) throws InterruptedException {
        List<RunReport> events = new ArrayList<>();
        TestingSimulation.run(plan(method), Long.MAX_VALUE, events::add);
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    private static TrainingPlan plan(Method method) {
        int servers = method.topology().servers();
        var division =
                new EpochDivision(
                        IntStream.range(0, servers + REPLICAS)
                                .mapToObj(rank -> rank < servers ? 0 : SAMPLES / REPLICAS)
                                .toList(),
                        ROUNDS,
                        Collections.nCopies(servers + REPLICAS, 1),
                        IntStream.range(0, servers + REPLICAS)
                                .mapToObj(rank ->
                                        rank < servers ? 1.0 : SLOW_DOWNS.get(rank - servers))
                                .toList());
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(DATA, NETWORK, new OptimizerSpec.Sgd(0.01), division),
                        method),
                new Execution.Virtual(
                        List.of(Execution.Speed.of(SAMPLES_PER_SECOND)),
                        0,
                        new Execution.Link(ALPHA * 1e6, MEGABYTES_PER_SECOND)));
    }
}
