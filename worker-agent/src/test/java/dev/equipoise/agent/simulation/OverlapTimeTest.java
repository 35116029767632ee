package dev.equipoise.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Synchronization;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the virtual time of overlapped rounds to the closed form {@code end(b) = max(ready(b),
 * end(b - 1)) + exchange(b)}, and the phases of the ranks to its parts.
 */
class OverlapTimeTest {

    private static final int ROUNDS = 8;
    private static final int RANKS = 4;
    private static final int SAMPLES = 160;
    private static final double SAMPLES_PER_SECOND = 500;
    private static final double COMPUTE = (double) SAMPLES / ROUNDS / RANKS / SAMPLES_PER_SECOND;
    private static final double ALPHA = 100e-6;
    private static final double MEGABYTES_PER_SECOND = 20;

    /** Headers of frames and the rounding of the clock to nanoseconds. */
    private static final double TOLERANCE = 0.01;

    private static final Synchronization.Bsp OVERLAPPED =
            new Synchronization.Bsp(true, 0.02, 0.002);
    private static final Synchronization.Bsp IN_TURN = new Synchronization.Bsp(false, 0.02, 0.002);

    private static final Architecture NETWORK =
            new Architecture(
                    "three layers",
                    new Shape.Image(12, 12, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(64),
                            new Layer.Relu(),
                            new Layer.Dense(96),
                            new Layer.Relu(),
                            new Layer.Dense(16)));

    private static List<EpochFinished> simulate(Synchronization synchronization, Topology topology)
            throws InterruptedException {
        int servers = topology.servers();
        List<Integer> shares = new ArrayList<>(Collections.nCopies(servers, 0));
        shares.addAll(Collections.nCopies(RANKS, SAMPLES / RANKS));
        var division =
                new EpochDivision(
                        shares,
                        ROUNDS,
                        Collections.nCopies(servers + RANKS, 1),
                        Collections.nCopies(servers + RANKS, 1.0));
        TrainingPlan plan =
                TestingPlan.with(
                        TestingPlan.with(
                                TestingPlan.of(
                                        new DatasetSpec.Synthetic(
                                                List.of(12, 12, 1), 16, SAMPLES, 1, SAMPLES),
                                        NETWORK,
                                        new OptimizerSpec.Sgd(0.01),
                                        division),
                                new Method(synchronization, topology, new Compression.None())),
                        new Execution.Virtual(
                                List.of(Execution.Speed.of(SAMPLES_PER_SECOND)),
                                0,
                                new Execution.Link(ALPHA * 1e6, MEGABYTES_PER_SECOND)));
        List<RunReport> events = new ArrayList<>();
        TestingSimulation.run(plan, events::add);
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    private static double shown(EpochFinished epoch) {
        var phases = epoch.phases();
        return phases.computeSeconds()
                + phases.encodeSeconds()
                + phases.transferSeconds()
                + phases.waitSeconds()
                + phases.applySeconds();
    }

    private static double exchange(Algorithm algorithm, long bytes) {
        return new CostModel(ALPHA, 1e-6 / MEGABYTES_PER_SECOND, 0)
                .seconds(algorithm, RANKS, bytes);
    }

    private static double round(Synchronization.Bsp method, Algorithm algorithm) {
        double end = 0;
        for (GradientBucket bucket : GradientBucket.of(method, NETWORK)) {
            end = Math.max(bucket.ready() * COMPUTE, end) + exchange(algorithm, bucket.bytes());
        }
        return end;
    }

    @Test
    void networkHasThreeBuckets() {
        assertThat(GradientBucket.of(OVERLAPPED, NETWORK))
                .extracting(GradientBucket::bytes)
                .containsExactly(6_208L, 24_960L, 37_120L);
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"RING", "RECURSIVE_DOUBLING", "HALVING_DOUBLING"})
    void virtualRoundFollowsTheClosedForm(Algorithm algorithm) throws Exception {
        Topology topology = Topology.AllReduce.by(algorithm);

        for (Synchronization.Bsp method : List.of(OVERLAPPED, IN_TURN)) {
            double expected = ROUNDS * round(method, algorithm);
            for (EpochFinished epoch : simulate(method, topology)) {
                assertThat(shown(epoch)).isEqualTo(expected, within(TOLERANCE * expected));
            }
        }
    }

    /** All of the exchange that is not exposed is hidden behind the backward pass. */
    @Test
    void hiddenAndExposedTimesSumToTheExchange() throws Exception {
        Topology ring = Topology.AllReduce.by(Algorithm.RING);
        List<EpochFinished> inTurn = simulate(IN_TURN, ring);
        List<EpochFinished> overlapped = simulate(OVERLAPPED, ring);

        for (int rank = 0; rank < RANKS; rank++) {
            var exposed = overlapped.get(rank).phases();
            double whole = inTurn.get(rank).phases().transferSeconds();
            assertThat(exposed.computeSeconds())
                    .isEqualTo(inTurn.get(rank).phases().computeSeconds(), within(1e-6));
            assertThat(exposed.transferSeconds() + exposed.hiddenSeconds())
                    .isEqualTo(whole, within(1e-6));
            assertThat(exposed.hiddenSeconds()).isGreaterThan(0.2 * whole);
            assertThat(exposed.waitSeconds()).isEqualTo(0, within(TOLERANCE * whole));
            assertThat(inTurn.get(rank).phases().hiddenSeconds()).isZero();
        }
    }

    @Test
    void serversSumBucketsDuringTheBackwardPass() throws Exception {
        for (boolean perLayer : new boolean[] {false, true}) {
            var servers = new Topology.ParameterServer(1, perLayer, Topology.Aggregate.MEAN);
            double overlapped = slowest(simulate(OVERLAPPED, servers));
            double inTurn = slowest(simulate(IN_TURN, servers));

            assertThat(overlapped).isLessThan(0.95 * inTurn);
        }
    }

    private static double slowest(List<EpochFinished> epochs) {
        return epochs.stream().mapToDouble(OverlapTimeTest::shown).max().orElseThrow();
    }
}
