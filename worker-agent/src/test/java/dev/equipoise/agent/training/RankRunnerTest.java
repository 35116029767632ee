package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.Time;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Outcome.Failed;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RankRunnerTest {

    private static final int EPOCHS = 3;
    private static final int ROUNDS = 6;
    private static final int SAMPLES = 99;
    private static final int CLASSES = 5;
    private static final List<Integer> UNEQUAL = List.of(15, 4, 80);
    private static final float LEARNING_RATE = 0.05f;

    /** Tolerance for float32 sums in another order, over 18 steps. */
    private static final float TOLERANCE = 2e-6f;

    private static final Architecture ARCHITECTURE =
            new Architecture(
                    "tiny",
                    new Shape.Image(8, 8, 1),
                    List.of(
                            new Layer.Convolution(4, 3, 1, 0),
                            new Layer.Relu(),
                            Layer.MaxPool.of(2),
                            new Layer.Flatten(),
                            new Layer.Dense(CLASSES)));
    private static final Objective OBJECTIVE = Objective.meanCrossEntropy(CLASSES);
    private static final Backend BACKEND = TestingReplicas.BACKEND;
    private static final DatasetSplit DATA =
            TestingDatasets.noisyPatterns(ARCHITECTURE.input(), CLASSES, SAMPLES, 301, 1);

    private final TestingReplicas replicas = new TestingReplicas(DATA, TickingTime::new);

    @Test
    void replicasOfUnequalShareTrainLikeOneOnTheUnionOfTheirBatches() throws Exception {
        List<Outcome> outcomes = train(plan(UNEQUAL, LEARNING_RATE));

        List<Float> expected = trainedAlone(UNEQUAL, new OptimizerSpec.Sgd(LEARNING_RATE));

        for (Outcome outcome : outcomes) {
            assertThat(largestDifference(outcome.parameters(), expected)).isLessThan(TOLERANCE);
        }
    }

    /** The optimizer's state and its schedule continue from round to round. */
    @Test
    void replicasWithMomentumAndDecayTrainLikeOneOnTheUnionOfTheirBatches() throws Exception {
        var momentum =
                new OptimizerSpec.Sgd(
                        LEARNING_RATE,
                        0.9,
                        true,
                        0.02,
                        new Schedule.Cosine(0.1, 0.5),
                        new Clipping.Norm(1));
        List<Outcome> outcomes = train(plan(UNEQUAL, momentum));

        List<Float> expected = trainedAlone(UNEQUAL, momentum);

        for (Outcome outcome : outcomes) {
            assertThat(outcome.parameters()).isEqualTo(outcomes.getFirst().parameters());
            assertThat(largestDifference(outcome.parameters(), expected)).isLessThan(TOLERANCE);
        }
    }

    @Test
    void replicasSumWhereTheLossIsASum() throws Exception {
        var objective =
                new Objective(
                        new Loss(Loss.Kind.SOFTMAX_CROSS_ENTROPY, Loss.Reduction.SUM),
                        TargetCode.oneHot(CLASSES));
        var sgd = new OptimizerSpec.Sgd(LEARNING_RATE / SAMPLES * ROUNDS);
        List<Outcome> outcomes = train(plan(UNEQUAL, ARCHITECTURE, objective, sgd));

        List<Float> expected = trainedAlone(UNEQUAL, objective, sgd);

        for (Outcome outcome : outcomes) {
            assertThat(largestDifference(outcome.parameters(), expected)).isLessThan(TOLERANCE);
        }
    }

    @Test
    void equalSeedsGiveEqualBits() throws Exception {
        List<Layer> layers = new ArrayList<>(ARCHITECTURE.layers());
        layers.add(2, new Layer.Dropout(0.3));
        var dropping = new Architecture("dropping", ARCHITECTURE.input(), layers);
        var sgd = new OptimizerSpec.Sgd(LEARNING_RATE);
        TrainingPlan plan = plan(List.of(SAMPLES), dropping, OBJECTIVE, sgd);

        List<Float> once = trainOne(plan).parameters();
        List<Float> twice = trainOne(plan).parameters();

        assertThat(twice).isEqualTo(once);
        assertThat(trainOne(plan(List.of(SAMPLES), sgd)).parameters()).isNotEqualTo(once);
    }

    @Test
    void replicasStayBitIdenticalAndAgreeOnTheAccuracy() throws Exception {
        List<Outcome> outcomes = train(plan(UNEQUAL, LEARNING_RATE));

        for (Outcome outcome : outcomes) {
            assertThat(outcome.parameters()).isEqualTo(outcomes.getFirst().parameters());
            assertThat(outcome.epochs())
                    .extracting(EpochFinished::parameters, EpochFinished::test)
                    .isEqualTo(
                            outcomes.getFirst().epochs().stream()
                                    .map(epoch -> tuple(epoch.parameters(), epoch.test()))
                                    .toList());
        }
    }

    @Test
    void learns() throws Exception {
        List<EpochFinished> epochs = train(plan(List.of(SAMPLES), 0.5f)).getFirst().epochs();

        assertThat(epochs.getLast().meanLoss()).isLessThan(epochs.getFirst().meanLoss());
        assertThat(requireNonNull(epochs.getLast().test()).accuracy()).isGreaterThan(0.6);
    }

    @Test
    void reportsEveryRoundAndEpochInOrder() throws Exception {
        List<Outcome> outcomes = train(plan(UNEQUAL, LEARNING_RATE));
        for (int rank = 0; rank < outcomes.size(); rank++) {
            List<RunReport> events =
                    outcomes.get(rank).events().stream()
                            .filter(event -> !(event instanceof Observed))
                            .toList();
            assertThat(events).hasSize(EPOCHS * (ROUNDS + 2));
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                int start = epoch * (ROUNDS + 2);
                for (int round = 0; round < ROUNDS; round++) {
                    assertThat(events.get(start + round))
                            .isEqualTo(new RoundReached(rank, epoch + 1, round + 1));
                }
                assertThat(events.get(start + ROUNDS)).isInstanceOf(PhasesElapsed.class);
                assertThat(events.get(start + ROUNDS + 1)).isInstanceOf(EpochFinished.class);
            }
        }
    }

    @Test
    void reportsTheLossOfEveryRoundBeforeTheFiguresOfItsEpoch() throws Exception {
        Outcome outcome = train(plan(List.of(SAMPLES), LEARNING_RATE)).getFirst();

        List<Long> steps = new ArrayList<>();
        List<Double> losses = new ArrayList<>();
        double seconds = 0;
        for (RunReport event : outcome.events()) {
            if (event instanceof Observed observed) {
                assertThat(observed.metric()).isEqualTo(Observed.TRAINING_LOSS);
                assertThat(observed.every()).isEqualTo(1);
                assertThat(observed.seconds().getFirst()).isGreaterThan(seconds);
                seconds = observed.seconds().getLast();
                steps.addAll(observed.steps());
                losses.addAll(observed.values());
            } else if (event instanceof EpochFinished epoch) {
                assertThat(steps).hasSize(epoch.epoch() * ROUNDS);
                int from = (epoch.epoch() - 1) * ROUNDS;
                // The last round of an epoch is smaller, so that it counts less.
                assertThat(mean(losses.subList(from, from + ROUNDS)))
                        .isCloseTo(epoch.meanLoss(), within(1e-2));
            }
        }
        assertThat(steps).isEqualTo(LongStream.rangeClosed(1, EPOCHS * ROUNDS).boxed().toList());
        assertThat(seconds)
                .isLessThanOrEqualTo(
                        outcome.epochs().stream().mapToDouble(EpochFinished::wallSeconds).sum());
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    @Test
    void figuresOfAnEpochSumUp() throws Exception {
        List<Outcome> outcomes = train(plan(UNEQUAL, LEARNING_RATE));

        for (int rank = 0; rank < UNEQUAL.size(); rank++) {
            for (EpochFinished epoch : outcomes.get(rank).epochs()) {
                assertThat(epoch.samples()).isEqualTo(UNEQUAL.get(rank));
                assertThat(epoch.meanLoss()).isPositive().isFinite();
                assertThat(sum(epoch.phases()))
                        .isCloseTo(epoch.wallSeconds() - TickingTime.SECONDS, within(1e-9));
                assertThat(epoch.traffic())
                        .isEqualTo(outcomes.get(rank).epochs().getFirst().traffic());
                assertThat(epoch.traffic().gradientBytes()).isPositive();
            }
        }
    }

    private static double sum(EpochFinished.Phases phases) {
        return phases.computeSeconds()
                + phases.encodeSeconds()
                + phases.transferSeconds()
                + phases.waitSeconds()
                + phases.applySeconds();
    }

    @Test
    void rankWithoutSamplesFollowsTheOthers() throws Exception {
        List<Outcome> outcomes = train(plan(List.of(SAMPLES, 0), LEARNING_RATE));

        assertThat(outcomes.getLast().parameters()).isEqualTo(outcomes.getFirst().parameters());
        assertThat(outcomes.getLast().epochs()).allMatch(epoch -> epoch.samples() == 0);
    }

    @Test
    void divergenceNamesThePositionAndTheLosses() throws Exception {
        requireDivergence(start(plan(UNEQUAL, 1e30f)), "epoch 1, round 2: its last losses are ");
    }

    @Test
    void lastFiniteWeightsOfADivergedTrainingAreStored() {
        List<Float> kept = new ArrayList<>();
        LastFiniteWeights.Keeper keeper =
                (rank, weights) -> {
                    assertThat(weights.exist()).isTrue();
                    assertThat(weights.position()).isEqualTo("epoch 1, round 1");
                    kept.addAll(TestingReplicas.floats(weights.copy()));
                    return "kept of rank " + rank;
                };
        TrainingPlan plan = plan(List.of(SAMPLES), 1e30f);

        var keeping = new TestingReplicas(DATA, TickingTime::new, keeper);
        assertThatThrownBy(() -> keeping.train(plan, MemoryChannel.join(1).getFirst(), _ -> {}))
                .isInstanceOf(AssignmentFailed.class)
                .hasMessageContaining("rank 0, epoch 1, round 2")
                .hasMessageContaining("kept of rank 0");
        try (Network network = Network.of(ARCHITECTURE, OBJECTIVE, BACKEND)) {
            network.initialize(1);
            assertThat(kept).isEqualTo(parametersOf(network));
        }
    }

    /** No round follows the one that spoils the weights. */
    @Test
    void divergenceIsDetectedOnTheTestSetAtTheLatest() throws Exception {
        List<Future<Outcome>> ranks =
                start(plan(UNEQUAL, ARCHITECTURE, OBJECTIVE, new OptimizerSpec.Sgd(1e38), 1));

        requireDivergence(ranks, "epoch 1, round 1");
    }

    /** The distance of the replicas from their mean is not finite either. */
    @Test
    void divergenceOfDifferingReplicasIsDetectedAfterTheLastRound() throws Exception {
        var gossip =
                new Topology.Gossip(
                        new Topology.Partners.Linear(false),
                        Topology.Payload.WEIGHTS,
                        Topology.Mixing.METROPOLIS,
                        0);
        TrainingPlan plan =
                TestingPlan.with(
                        plan(UNEQUAL, ARCHITECTURE, OBJECTIVE, new OptimizerSpec.Sgd(1e38), 1),
                        TestingMethods.local(1, gossip, TestingMethods.NONE));

        requireDivergence(start(plan), "epoch 1, round 1");
    }

    /** The first class gets a score of minus infinity. */
    @Test
    void infiniteLossIsADivergenceDespiteAFiniteGradient() throws Exception {
        List<Future<Outcome>> ranks =
                replicas.start(
                        plan(UNEQUAL, LEARNING_RATE),
                        network ->
                                network.parameters()
                                        .setAtIndex(
                                                JAVA_FLOAT,
                                                network.parameterCount() - CLASSES,
                                                Float.NEGATIVE_INFINITY));

        requireDivergence(ranks, "epoch 1, round 1");
    }

    /** At least one rank has diverged; the others report divergence too, or have lost it. */
    private static void requireDivergence(List<Future<Outcome>> ranks, String position) {
        List<Throwable> failures = ranks.stream().map(Future::exceptionNow).toList();
        assertThat(failures)
                .allMatch(it -> it instanceof AssignmentFailed || it instanceof ChannelFailed)
                .filteredOn(AssignmentFailed.class::isInstance)
                .isNotEmpty()
                .allSatisfy(failure -> {
                    Failed event = ((AssignmentFailed) failure).toEvent();
                    assertThat(event.code()).isEqualTo("diverged");
                    assertThat(event.message()).contains(position);
                });
    }

    @Test
    void interruptEndsTheTraining() {
        Channel alone = MemoryChannel.join(1).getFirst();
        Thread.currentThread().interrupt();

        assertThatThrownBy(
                        () -> replicas.train(plan(List.of(SAMPLES), LEARNING_RATE), alone, _ -> {}))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    private List<Outcome> train(TrainingPlan plan) throws InterruptedException {
        return replicas.train(plan);
    }

    /** Runs every rank on its own thread, and returns when all have ended. */
    private List<Future<Outcome>> start(TrainingPlan plan) throws InterruptedException {
        return replicas.start(plan, _ -> {});
    }

    private Outcome trainOne(TrainingPlan plan) throws InterruptedException {
        return replicas.train(plan, MemoryChannel.join(1).getFirst(), _ -> {});
    }

    /** Trains one network on the union of all ranks' samples, round by round. */
    private static List<Float> trainedAlone(List<Integer> shares, OptimizerSpec spec) {
        return trainedAlone(shares, OBJECTIVE, spec);
    }

    private static List<Float> trainedAlone(
            List<Integer> shares, Objective objective, OptimizerSpec spec) {
        var shards = new Shards(shares, ROUNDS);
        var optimizer = Optimizer.of(spec, ROUNDS, EPOCHS);
        var state = optimizer.initialState(ARCHITECTURE.parameterCount(), Arena.ofAuto());
        var minibatch = new Minibatch(ARCHITECTURE.input(), 1, SAMPLES, Arena.ofAuto());
        try (Network network = Network.of(ARCHITECTURE, objective, BACKEND)) {
            network.initialize(1);
            for (int epoch = 1; epoch <= EPOCHS; epoch++) {
                int[] order = Permutation.of(1, epoch, SAMPLES);
                for (int round = 0; round < ROUNDS; round++) {
                    int[] union = union(shards, round, order);
                    DATA.training().read(union, 0, union.length, minibatch);
                    network.gradient(minibatch);
                    state = optimizer.step(state, network.parameters(), network.gradient());
                }
            }
            return parametersOf(network);
        }
    }

    private static List<Float> parametersOf(Network network) {
        return TestingReplicas.floats(network.parameters());
    }

    private static double largestDifference(List<Float> one, List<Float> other) {
        return IntStream.range(0, one.size())
                .mapToDouble(i -> Math.abs(one.get(i) - other.get(i)))
                .max()
                .orElseThrow();
    }

    private static int[] union(Shards shards, int round, int[] order) {
        return IntStream.range(0, shards.shares().size())
                .mapToObj(rank -> shards.batch(rank, round))
                .flatMapToInt(slice -> positions(slice, order))
                .toArray();
    }

    private static IntStream positions(Slice slice, int[] order) {
        return Arrays.stream(order, slice.from(), slice.from() + slice.count());
    }

    private static TrainingPlan plan(List<Integer> shares, float learningRate) {
        return plan(shares, new OptimizerSpec.Sgd(learningRate));
    }

    private static TrainingPlan plan(List<Integer> shares, OptimizerSpec optimizer) {
        return plan(shares, ARCHITECTURE, OBJECTIVE, optimizer);
    }

    private static TrainingPlan plan(
            List<Integer> shares,
            Architecture architecture,
            Objective objective,
            OptimizerSpec optimizer) {
        return plan(shares, architecture, objective, optimizer, ROUNDS);
    }

    private static TrainingPlan plan(
            List<Integer> shares,
            Architecture architecture,
            Objective objective,
            OptimizerSpec optimizer,
            int rounds) {
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(
                                new DatasetSpec.Synthetic(
                                        List.of(8, 8, 1), CLASSES, SAMPLES, 1, SAMPLES),
                                architecture,
                                optimizer,
                                EpochDivision.of(shares, rounds)),
                        objective.loss()),
                EPOCHS);
    }

    /** Clock that advances by 1 us with each reading. */
    private static final class TickingTime implements Time {

        private static final double SECONDS = 1e-6;

        private long nanos;

        @Override
        public long nanoTime() {
            nanos += 1_000;
            return nanos;
        }

        @Override
        public long threadNanos() {
            return nanos;
        }

        @Override
        public void sleep(long duration) {
            nanos += duration;
        }
    }
}
