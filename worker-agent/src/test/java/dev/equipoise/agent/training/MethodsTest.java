package dev.equipoise.agent.training;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport.Phase;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Order;
import dev.equipoise.protocol.Synchronization.OwnStep;
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
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Loss.Reduction;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains by every synchronization method on real gradients, with one thread for each rank. */
public class MethodsTest {

    private static final int CLASSES = 4;
    private static final int SAMPLES = 192;
    private static final int ROUNDS = 8;
    private static final int EPOCHS = 12;
    private static final double RATE = 0.3;

    /** Tolerance for float32 sums in another order, over 96 steps. */
    private static final double TOLERANCE = 1e-5;

    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(6, 6, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(8),
                            new Layer.Relu(),
                            new Layer.Dense(CLASSES)));
    static final DatasetSplit DATA =
            TestingDatasets.noisyPatterns(NETWORK.input(), CLASSES, SAMPLES, 120, 1);
    private static final Topology RING = Topology.AllReduce.by(Algorithm.RING);
    private static final Compression NONE = new Compression.None();

    private final TestingReplicas replicas = new TestingReplicas(DATA, SystemTime::new);

    public static Stream<Method> methods() {
        return Stream.of(
                TestingPlan.BSP,
                new Method(new Synchronization.Bsp(true, 0.0002, 0.0002), RING, NONE),
                local(1, Order.STEP_THEN_AVERAGE, RING, NONE),
                local(4, Order.AVERAGE_THEN_STEP, RING, NONE),
                local(2, Order.STEP_THEN_AVERAGE, RING, new Compression.TopK(0.2, true)),
                new Method(new Synchronization.DiLoCo(4, 0.7, 0.5), RING, NONE),
                bsp(new Compression.AdaptiveThreshold(0.2, true)),
                bsp(new Compression.Qsgd(4, 32, true)),
                bsp(new Compression.Sign(true)),
                bsp(new Compression.RandomK(0.3, true)),
                bsp(new Compression.RandomK(0.5, false)),
                bsp(new Compression.PowerSgd(2)),
                gossip(new Partners.Linear(false), Payload.GRADIENT, Mixing.UNIFORM, NONE),
                gossip(new Partners.Linear(false), Payload.UPDATE, Mixing.UNIFORM, NONE),
                gossip(
                        new Partners.Dissemination(),
                        Payload.UPDATE,
                        Mixing.UNIFORM,
                        new Compression.TopK(0.2, true)),
                gossip(new Partners.RandomMatching(), Payload.WEIGHTS, Mixing.UNIFORM, NONE),
                gossip(new Partners.Linear(true), Payload.WEIGHTS, Mixing.METROPOLIS, NONE),
                gossip(
                        new Partners.Fixed(1),
                        Payload.WEIGHTS,
                        Mixing.UNIFORM,
                        new Compression.TopK(0.3, false)),
                gossip(new Partners.Dissemination(), Payload.WEIGHTS, Mixing.PUSH_SUM, NONE),
                served(new Synchronization.Bsp(), 1, false, NONE),
                served(new Synchronization.Bsp(true, 0.0002, 0.0002), 2, false, NONE),
                served(new Synchronization.Bsp(), 2, true, new Compression.TopK(0.2, true)),
                served(
                        new LocalSgd(2, Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                        1,
                        false,
                        new Compression.Sign(true)),
                served(
                        new Synchronization.Async(
                                null, Weighting.WEIGHTED, new StalenessCorrection.Inverse()),
                        1,
                        false,
                        NONE),
                served(
                        new Synchronization.StaleSynchronous(
                                2, false, new StalenessCorrection.None()),
                        2,
                        false,
                        new Compression.TopK(0.3, true)),
                served(
                        new Synchronization.StaleSynchronous(
                                2, true, new StalenessCorrection.None()),
                        1,
                        false,
                        NONE),
                async(2, NONE),
                async(1, new Compression.TopK(0.2, true)),
                queued(OwnStep.WITH_SUM, NONE),
                queued(OwnStep.AT_ONCE, new Compression.TopK(0.5, true)),
                new Method(
                        new Synchronization.AdPsgd(),
                        new Gossip(
                                new Partners.RandomMatching(), Payload.WEIGHTS, Mixing.UNIFORM, 0),
                        NONE));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyMethodLearnsAndItsPhasesAreWithinTheEpoch(Method method) throws Exception {
        List<Outcome> outcomes =
                replicas.train(TestingPlan.with(plan(method, 4), EPOCHS * mostGradients(method)));

        int servers = method.topology().servers();
        for (Outcome outcome : outcomes) {
            EpochFinished last = outcome.epochs().getLast();
            assertThat(requireNonNull(last.test()).accuracy()).isGreaterThan(0.8);
            assertThat(last.test()).isEqualTo(outcomes.getFirst().epochs().getLast().test());
            for (EpochFinished epoch : outcome.epochs()) {
                var phases = epoch.phases();
                assertThat(
                                phases.computeSeconds()
                                        + phases.encodeSeconds()
                                        + phases.transferSeconds()
                                        + phases.waitSeconds()
                                        + phases.applySeconds())
                        .isLessThanOrEqualTo(epoch.wallSeconds() + 1e-6);
                assertThat(epoch.samples()).isEqualTo(epoch.rank() < servers ? 0 : SAMPLES / 4);
                assertThat(epoch.traffic().bytes()).isPositive();
                if (epoch.rank() >= servers) {
                    assertThat(epoch.updates().steps()).isPositive();
                }
            }
        }
    }

    /**
     * Returns how many gradients of a replica one step may average: a background thread that falls
     * behind sums those that it has missed, so that steps are fewer in a round's time.
     */
    private static int mostGradients(Method method) {
        return method.synchronization() instanceof Synchronization.Async async
                        && method.topology() instanceof Topology.AllReduce
                        && async.maxStaleness() != null
                ? 1 + async.maxStaleness()
                : 1;
    }

    @ParameterizedTest
    @MethodSource("methods")
    void traceOfEveryMethodSumsToItsPhases(Method method) throws Exception {
        var traced = new Observation(EPOCHS, Observation.Replicas.NEVER, true, false);
        TrainingPlan plan = TestingPlan.with(TestingPlan.with(plan(method, 4), 2), traced);

        for (Outcome outcome : replicas.train(plan)) {
            for (EpochFinished epoch : outcome.epochs()) {
                List<Traced> main = traces(outcome, epoch.epoch(), Strand.MAIN);
                var phases = epoch.phases();
                assertThat(seconds(main, Phase.COMPUTE)).isEqualTo(phases.computeSeconds());
                assertThat(seconds(main, Phase.ENCODE)).isEqualTo(phases.encodeSeconds());
                assertThat(seconds(main, Phase.TRANSFER)).isEqualTo(phases.transferSeconds());
                assertThat(seconds(main, Phase.WAIT)).isEqualTo(phases.waitSeconds());
                assertThat(seconds(main, Phase.APPLY)).isEqualTo(phases.applySeconds());
                List<Traced> background = traces(outcome, epoch.epoch(), Strand.BACKGROUND);
                assertThat(
                                seconds(background, Phase.ENCODE)
                                        + seconds(background, Phase.TRANSFER)
                                        + seconds(background, Phase.APPLY))
                        .isCloseTo(phases.hiddenSeconds(), within(1e-9));
            }
            assertDoesNotOverlap(outcome, Strand.MAIN);
            assertDoesNotOverlap(outcome, Strand.BACKGROUND);
        }
    }

    private static List<Traced> traces(Outcome outcome, int epoch, Strand strand) {
        return outcome.traces().stream()
                .filter(it -> it.epoch() == epoch && it.strand() == strand)
                .toList();
    }

    private static double seconds(List<Traced> traces, Phase phase) {
        long nanos = 0;
        for (Traced traced : traces) {
            for (int i = 0; i < traced.phases().size(); i++) {
                nanos += traced.phases().get(i) == phase ? traced.nanos().get(i) : 0;
            }
        }
        return nanos / 1e9;
    }

    private static void assertDoesNotOverlap(Outcome outcome, Strand strand) {
        long last = Long.MIN_VALUE;
        for (Traced traced : outcome.traces()) {
            for (int i = 0; traced.strand() == strand && i < traced.phases().size(); i++) {
                assertThat(traced.begun().get(i)).isGreaterThanOrEqualTo(last);
                last = traced.begun().get(i) + traced.nanos().get(i);
            }
        }
    }

    /** Gossip needs a neighbor. */
    static Stream<Method> methodsOfASingleReplica() {
        return methods().filter(it -> !(it.topology() instanceof Gossip));
    }

    @ParameterizedTest
    @MethodSource("methodsOfASingleReplica")
    void everyMethodTrainsASingleReplica(Method method) throws Exception {
        Outcome alone = replicas.train(plan(method, 1)).getLast();

        assertThat(requireNonNull(alone.epochs().getLast().test()).accuracy()).isGreaterThan(0.8);
    }

    @Test
    void localSgdWithPeriodOneIsBulkSynchronous() throws Exception {
        List<Float> bsp = train(TestingPlan.BSP);
        List<Float> local = train(local(1, Order.STEP_THEN_AVERAGE, RING, NONE));
        List<Float> other = train(local(1, Order.AVERAGE_THEN_STEP, RING, NONE));

        assertThat(distance(local, bsp)).isLessThan(TOLERANCE);
        assertThat(distance(other, bsp)).isGreaterThan(10 * TOLERANCE);
    }

    @Test
    void replicasEqualASingleOneWithAllTheirBatches() throws Exception {
        List<Float> alone = replicas.train(plan(TestingPlan.BSP, 1)).getFirst().parameters();

        assertThat(distance(train(TestingPlan.BSP), alone)).isLessThan(TOLERANCE);
    }

    @Test
    void diLoCoWithoutOuterMomentumIsLocalSgd() throws Exception {
        List<Float> local = train(local(4, Order.STEP_THEN_AVERAGE, RING, NONE));
        List<Float> outer = train(new Method(new Synchronization.DiLoCo(4, 1, 0), RING, NONE));

        assertThat(distance(outer, local)).isLessThan(TOLERANCE);
    }

    /**
     * With an exchange in each round, the sum of gradients since the last exchange is the gradient.
     */
    @Test
    void gossipOfUpdatesEqualsGossipOfGradientsWithPeriodOne() throws Exception {
        List<Float> gradients =
                train(gossip(new Partners.Linear(false), Payload.GRADIENT, Mixing.UNIFORM, NONE));
        List<Float> updates =
                train(gossip(new Partners.Linear(false), Payload.UPDATE, Mixing.UNIFORM, NONE));

        assertThat(distance(updates, gradients)).isLessThan(TOLERANCE);
    }

    /** Three ranks at distance one are all ranks. */
    @Test
    void gossipOfGradientsAmongThreeIsBulkSynchronous() throws Exception {
        Method gossip = gossip(new Partners.Fixed(1), Payload.GRADIENT, Mixing.UNIFORM, NONE);

        List<Float> bsp = replicas.train(plan(TestingPlan.BSP, 3)).getFirst().parameters();
        List<Float> three = replicas.train(plan(gossip, 3)).getFirst().parameters();

        assertThat(distance(three, bsp)).isLessThan(TOLERANCE);
    }

    @ParameterizedTest
    @EnumSource(Payload.class)
    void globalAveragesBringGossipingReplicasTogether(Payload payload) throws Exception {
        Method method = averaged(payload, Mixing.UNIFORM, ROUNDS);

        for (Outcome outcome : replicas.train(plan(method, 4))) {
            for (EpochFinished epoch : outcome.epochs()) {
                assertThat(requireNonNull(epoch.distance()).relative()).isLessThan(1e-6);
            }
        }
    }

    /** The replicas take one, two and three times as many samples. */
    @ParameterizedTest
    @EnumSource(Payload.class)
    void gossipOfGlobalAveragesAloneIsBulkSynchronousForUnequalReplicas(Payload payload)
            throws Exception {
        List<Float> bsp = unequal(TestingPlan.BSP, Reduction.MEAN, RATE);

        for (Mixing mixing : List.of(Mixing.UNIFORM, Mixing.METROPOLIS)) {
            List<Float> averaged = unequal(averaged(payload, mixing, 1), Reduction.MEAN, RATE);
            assertThat(distance(averaged, bsp)).as("%s", mixing).isLessThan(TOLERANCE);
        }
    }

    /**
     * Sums carry the weights themselves: three replicas together need a third of the learning rate.
     */
    @ParameterizedTest
    @EnumSource(Payload.class)
    void sumLossesAreNotWeightedAgain(Payload payload) throws Exception {
        double rate = RATE / 8;
        List<Float> bsp = unequal(TestingPlan.BSP, Reduction.SUM, rate / 3);
        Method local = local(1, Order.STEP_THEN_AVERAGE, RING, NONE);
        Method gossip = averaged(payload, Mixing.UNIFORM, 1);

        assertThat(distance(unequal(local, Reduction.SUM, rate), bsp)).isLessThan(TOLERANCE);
        assertThat(distance(unequal(gossip, Reduction.SUM, rate), bsp)).isLessThan(TOLERANCE);
    }

    private List<Float> unequal(Method method, Reduction reduction, double rate) throws Exception {
        EpochDivision division = EpochDivision.of(List.of(32, 64, 96), ROUNDS);
        var loss = new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, reduction);
        TrainingPlan plan = plan(method, division, new OptimizerSpec.Sgd(rate));
        return replicas.train(TestingPlan.with(plan, loss)).getFirst().parameters();
    }

    private static Method averaged(Payload payload, Mixing mixing, int globalAverageEvery) {
        return new Method(
                new LocalSgd(1, Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                new Gossip(new Partners.Linear(false), payload, mixing, globalAverageEvery),
                NONE);
    }

    @Test
    void compressedUpdatesLeaveAllReplicasEqualToTheBit() throws Exception {
        List<Outcome> outcomes =
                replicas.train(
                        plan(
                                local(
                                        2,
                                        Order.STEP_THEN_AVERAGE,
                                        RING,
                                        new Compression.TopK(0.1, true)),
                                4));

        for (Outcome outcome : outcomes) {
            assertThat(outcome.parameters()).isEqualTo(outcomes.getFirst().parameters());
        }
    }

    /** Averages in every round, so that weights and optimizer state are those of whole rounds. */
    @Test
    void momentumIsAveragedOrResetOnRequest() throws Exception {
        var heavy =
                new OptimizerSpec.Sgd(
                        RATE / 4, 0.9, false, new Schedule.Constant(0), new Clipping.None());

        assertThat(
                        distance(
                                weights(Momentum.AVERAGE, heavy),
                                weights(plan(TestingPlan.BSP, 4, heavy))))
                .isLessThan(TOLERANCE);
        List<Float> plain = weights(plan(TestingPlan.BSP, 4, new OptimizerSpec.Sgd(RATE / 4)));
        assertThat(distance(weights(Momentum.RESET, heavy), plain)).isLessThan(TOLERANCE);
        assertThat(distance(weights(Momentum.LOCAL, heavy), plain)).isGreaterThan(10 * TOLERANCE);
    }

    private List<Float> weights(Momentum momentum, OptimizerSpec optimizer) {
        var local = new LocalSgd(1, Order.STEP_THEN_AVERAGE, momentum);
        return weights(plan(new Method(local, RING, NONE), 4, optimizer));
    }

    private List<Float> weights(TrainingPlan plan) {
        try {
            return replicas.train(plan).getFirst().parameters();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Replicas that have applied the same number of results hold the same bits, which all have
     * here.
     */
    @Test
    void asynchronousReplicasEndEqualWithinTheStalenessBound() throws Exception {
        List<Outcome> outcomes = replicas.train(plan(async(2, NONE), 4));

        for (Outcome outcome : outcomes) {
            assertThat(outcome.parameters()).isEqualTo(outcomes.getFirst().parameters());
            for (EpochFinished epoch : outcome.epochs()) {
                assertThat(epoch.updates().greatestStaleness()).isLessThanOrEqualTo(2);
                assertThat(epoch.updates().staleness().stream().mapToLong(it -> it).sum())
                        .isEqualTo(ROUNDS);
            }
        }
    }

    @Test
    void severalMiniBatchesOnTheSameWeightsEqualOneLargerOne() throws Exception {
        var division = EpochDivision.of(List.of(48, 144), ROUNDS);
        var cut = new EpochDivision(List.of(48, 144), ROUNDS, List.of(1, 3), List.of(1.0, 1.0));

        List<Float> whole = weights(plan(TestingPlan.BSP, division, sgd()));
        List<Float> inParts = weights(plan(TestingPlan.BSP, cut, sgd()));

        assertThat(distance(inParts, whole)).isLessThan(TOLERANCE);
    }

    /**
     * The first step makes the weights infinite before any loss is, and codecs reject non-finite
     * values.
     */
    @Test
    void weightsThatACodecRejectsAreADivergence() throws Exception {
        Method method = local(1, Order.STEP_THEN_AVERAGE, RING, new Compression.TopK(0.2, true));

        TrainingPlan plan =
                TestingPlan.with(
                        plan(method, 2, new OptimizerSpec.Sgd(3e38)),
                        new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.SUM));

        List<Throwable> failures =
                replicas.start(plan, _ -> {}).stream().map(Future::exceptionNow).toList();

        assertThat(failures)
                .filteredOn(AssignmentFailed.class::isInstance)
                .isNotEmpty()
                .allSatisfy(failure ->
                        assertThat(failure)
                                .hasMessageContaining("the training diverged at rank ")
                                .hasMessageContaining("its last losses are ")
                                .hasMessageContaining("element "));
        assertThat(failures)
                .allMatch(it -> it instanceof AssignmentFailed || it instanceof ChannelFailed);
    }

    private List<Float> train(Method method) throws InterruptedException {
        return replicas.train(plan(method, 4)).getFirst().parameters();
    }

    private static double distance(List<Float> one, List<Float> other) {
        return IntStream.range(0, one.size())
                .mapToDouble(i -> Math.abs(one.get(i) - other.get(i)))
                .max()
                .orElseThrow();
    }

    private static Method bsp(Compression compression) {
        return new Method(new Synchronization.Bsp(), RING, compression);
    }

    private static Method local(
            int period, Order order, Topology topology, Compression compression) {
        return new Method(new LocalSgd(period, order, Momentum.LOCAL), topology, compression);
    }

    private static Method gossip(
            Partners partners, Payload payload, Mixing mixing, Compression compression) {
        return local(
                1, Order.STEP_THEN_AVERAGE, new Gossip(partners, payload, mixing, 0), compression);
    }

    private static Method served(
            Synchronization synchronization,
            int servers,
            boolean perLayer,
            Compression compression) {
        return new Method(
                synchronization,
                new Topology.ParameterServer(servers, perLayer, Topology.Aggregate.MEAN),
                compression);
    }

    private static Method async(int maxStaleness, Compression compression) {
        return new Method(
                new Synchronization.Async(
                        maxStaleness, Weighting.WEIGHTED, new StalenessCorrection.None()),
                RING,
                compression);
    }

    private static Method queued(OwnStep own, Compression compression) {
        return new Method(
                new Synchronization.Async(
                        null, Weighting.WEIGHTED, new StalenessCorrection.None(), 2, own),
                RING,
                compression);
    }

    private static OptimizerSpec sgd() {
        return new OptimizerSpec.Sgd(RATE);
    }

    /** Each replica's gradient is a step of its own on arrival. */
    static TrainingPlan plan(Method method, int replicas) {
        boolean onArrival =
                method.topology().servers() > 0
                        && (method.synchronization() instanceof Synchronization.Async
                                || method.synchronization()
                                        instanceof Synchronization.StaleSynchronous);
        return plan(method, replicas, onArrival ? new OptimizerSpec.Sgd(RATE / replicas) : sgd());
    }

    private static TrainingPlan plan(Method method, int replicas, OptimizerSpec optimizer) {
        int servers = method.topology().servers();
        List<Integer> shares =
                IntStream.range(-servers, replicas)
                        .map(place -> place < 0 ? 0 : SAMPLES / replicas)
                        .boxed()
                        .toList();
        return plan(method, EpochDivision.of(shares, ROUNDS), optimizer);
    }

    private static TrainingPlan plan(
            Method method, EpochDivision division, OptimizerSpec optimizer) {
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(
                                new DatasetSpec.Synthetic(
                                        List.of(6, 6, 1), CLASSES, SAMPLES, 1, SAMPLES),
                                NETWORK,
                                optimizer,
                                division),
                        method),
                EPOCHS);
    }
}
