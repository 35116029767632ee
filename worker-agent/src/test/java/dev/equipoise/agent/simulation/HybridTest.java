package dev.equipoise.agent.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.performance.hybrid.AllReduceModel;
import dev.equipoise.performance.hybrid.Costs;
import dev.equipoise.performance.hybrid.HybridShares;
import dev.equipoise.performance.hybrid.Perceptron;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Partitioning.HybridSolver;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains perceptrons under hybrid parallelism. */
class HybridTest {

    private static final int SAMPLES = 96;
    private static final int ROUNDS = 4;
    private static final int EPOCHS = 3;
    private static final int HIDDEN = 20;
    private static final float TOLERANCE = 1e-5f;
    private static final Architecture NETWORK =
            Architecture.of(
                    "perceptron",
                    new Shape.Vector(12),
                    List.of(
                            new Layer.Dense(HIDDEN),
                            new Layer.Sigmoid(),
                            new Layer.Dense(5),
                            new Layer.Sigmoid()));
    private static final DatasetSpec DATA =
            new DatasetSpec.Synthetic(List.of(12), 5, SAMPLES, 1, SAMPLES);

    @TempDir Path folder;

    private static Grouping grouping(int dataParallel, List<Integer> units) {
        int size = units.size();
        return new Grouping(
                IntStream.range(0, dataParallel)
                        .mapToObj(group ->
                                IntStream.range(0, size)
                                        .mapToObj(position -> group + position * dataParallel)
                                        .toList())
                        .toList(),
                units);
    }

    /**
     * Shares that divide evenly among the rounds, so that these equal the rounds of a single rank.
     */
    private static TrainingPlan plan(Grouping grouping, List<Integer> samples) {
        List<Integer> shares = new ArrayList<>(Collections.nCopies(grouping.ranks(), 0));
        for (int group = 0; group < samples.size(); group++) {
            shares.set(grouping.groups().get(group).getFirst(), samples.get(group));
        }
        return plan(EpochDivision.of(shares, ROUNDS).in(grouping));
    }

    private static TrainingPlan plan(EpochDivision division) {
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(
                                DATA,
                                NETWORK,
                                new OptimizerSpec.Sgd(
                                        0.5,
                                        0.9,
                                        true,
                                        0.01,
                                        new Schedule.Constant(0),
                                        new Clipping.None()),
                                division),
                        new Loss(Loss.Kind.SQUARED_ERROR, Loss.Reduction.MEAN)),
                EPOCHS);
    }

    private static TrainingPlan alone() {
        return plan(EpochDivision.of(List.of(SAMPLES), ROUNDS));
    }

    static Stream<TrainingPlan> formations() {
        return Stream.of(
                plan(grouping(1, List.of(10, 10)), List.of(SAMPLES)),
                plan(grouping(1, List.of(5, 5, 5, 5)), List.of(SAMPLES)),
                plan(grouping(1, List.of(3, 3, 3, 3, 2, 2, 2, 2)), List.of(SAMPLES)),
                plan(grouping(4, List.of(7, 13)), List.of(8, 20, 28, 40)),
                plan(grouping(2, List.of(1, 4, 6, 9)), List.of(36, 60)),
                plan(grouping(3, List.of(HIDDEN)), List.of(24, 32, 40)),
                plan(grouping(1, List.of(1, 19)), List.of(SAMPLES)),
                plan(grouping(2, List.of(10, 10)), List.of(0, SAMPLES)));
    }

    @ParameterizedTest
    @MethodSource("formations")
    void groupsTrainTheWholeNetwork(TrainingPlan plan) throws Exception {
        var replicas = new TestingReplicas(data(), SystemTime::new);
        List<Float> wanted = replicas.train(alone()).getFirst().parameters();

        List<Outcome> ranks = replicas.train(plan);

        for (Outcome rank : ranks) {
            assertClose(rank.parameters(), wanted);
            assertHasMoved(rank);
        }
        assertThat(
                        ranks.stream()
                                .flatMap(rank -> rank.epochs().stream())
                                .filter(epoch -> epoch.epoch() == EPOCHS)
                                .map(EpochFinished::parameters)
                                .distinct())
                .hasSize(1);
        assertThat(ranks)
                .allSatisfy(rank -> {
                    EpochFinished last = rank.epochs().getLast();
                    assertThat(last.traffic().gradientBytes()).isPositive();
                });
        assertThat(ranks.stream().mapToInt(rank -> rank.epochs().getLast().samples()).sum())
                .isEqualTo(SAMPLES);
    }

    @ParameterizedTest
    @MethodSource("formations")
    void virtualRunHasTheBitsOfARealOne(TrainingPlan plan) throws Exception {
        List<Outcome> real = new TestingReplicas(data(), SystemTime::new).train(plan);

        List<EpochFinished> virtual = simulate(TestingPlan.with(plan, virtual(1e3, 50)));

        assertThat(virtual).hasSize(EPOCHS * plan.division().ranks());
        for (EpochFinished epoch : virtual) {
            EpochFinished other = real.get(epoch.rank()).epochs().get(epoch.epoch() - 1);
            assertThat(epoch.parameters()).isEqualTo(other.parameters());
            assertThat(epoch.test()).isEqualTo(other.test());
            assertThat(epoch.traffic()).isEqualTo(other.traffic());
        }
    }

    /** Trains with a sum loss, another algorithm, and another loss. */
    @ParameterizedTest
    @EnumSource(
            value = Topology.Algorithm.class,
            names = {"TREE", "FLAT", "RECURSIVE_DOUBLING", "HALVING_DOUBLING"})
    void everyAllReduceAlgorithmWorks(Topology.Algorithm algorithm) throws Exception {
        var loss = new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.SUM);
        var method =
                new Method(
                        new Synchronization.Bsp(),
                        Topology.AllReduce.by(algorithm),
                        new Compression.None());
        TrainingPlan plan = plan(grouping(2, List.of(3, 7, 10)), List.of(36, 60));
        var replicas = new TestingReplicas(data(), SystemTime::new);

        List<Outcome> ranks = replicas.train(slow(TestingPlan.with(plan, loss), method));

        List<Float> wanted =
                replicas.train(slow(TestingPlan.with(alone(), loss), TestingPlan.BSP))
                        .getFirst()
                        .parameters();
        assertClose(ranks.getFirst().parameters(), wanted);
    }

    private static TrainingPlan slow(TrainingPlan plan, Method method) {
        TrainingPlan slow =
                TestingPlan.of(
                        plan.dataset(),
                        plan.network(),
                        new OptimizerSpec.Sgd(0.01),
                        plan.division());
        return TestingPlan.with(TestingPlan.with(slow, plan.loss()), method);
    }

    /** With free exchanges, the time is M and N of the equations, by the rank's own share. */
    @Test
    void virtualClockFollowsTheModel() throws Exception {
        var perceptron = new Perceptron(12, HIDDEN, 5);
        Costs costs = Costs.of(perceptron, 1e-3);
        HybridShares shares =
                HybridShares.ofAllFormations(
                                perceptron,
                                SAMPLES / ROUNDS,
                                costs,
                                new AllReduceModel(0, 0, 0),
                                List.of(1.0, 1.0, 1.0, 1.0),
                                HybridSolver.LINEAR_PROGRAM)
                        .stream()
                        .filter(it -> it.formation().nodeParallel() == 4)
                        .findFirst()
                        .orElseThrow();
        Grouping grouping = grouping(1, shares.units());

        List<EpochFinished> epochs =
                simulate(
                        TestingPlan.with(
                                plan(grouping, List.of(SAMPLES)),
                                new Execution.Virtual(
                                        List.of(Execution.Speed.of(1e3)),
                                        0,
                                        new Execution.Link(0, 1e9))));

        assertThat(epochs)
                .allSatisfy(epoch ->
                        assertThat(epoch.phases().computeSeconds() + epoch.phases().waitSeconds())
                                .isCloseTo(ROUNDS * shares.seconds(), within(1e-4)));
    }

    private static Execution virtual(double samplesPerSecond, double microseconds) {
        return new Execution.Virtual(
                List.of(
                        Execution.Speed.of(samplesPerSecond),
                        Execution.Speed.of(2 * samplesPerSecond)),
                0.1,
                new Execution.Link(microseconds, 100));
    }

    private static void assertHasMoved(Outcome rank) {
        assertThat(testLoss(rank.epochs().getLast()))
                .isNotCloseTo(testLoss(rank.epochs().getFirst()), within(0.01));
    }

    private static double testLoss(EpochFinished epoch) {
        return requireNonNull(epoch.test()).loss();
    }

    private static void assertClose(List<Float> found, List<Float> wanted) {
        assertThat(found).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.size(); i++) {
            assertThat(found.get(i)).isCloseTo(wanted.get(i), within(TOLERANCE));
        }
    }

    private static List<EpochFinished> simulate(TrainingPlan plan) throws InterruptedException {
        List<RunReport> events = Collections.synchronizedList(new ArrayList<>());
        TestingSimulation.run(plan, events::add);
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    private DatasetSplit data() throws InterruptedException {
        return new DatasetRegistry(
                        DatasetSettings.fromEnvironment(
                                Map.of("EQUIPOISE_DATASETS", folder.toString())))
                .load(DATA, SAMPLES);
    }
}
