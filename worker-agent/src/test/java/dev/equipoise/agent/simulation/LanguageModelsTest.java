package dev.equipoise.agent.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Permutation;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.order.ExecutionOrder;
import dev.equipoise.agent.synchronization.RankEnvironment;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.agent.training.Gradients;
import dev.equipoise.agent.training.RankRunner;
import dev.equipoise.agent.training.TestingReplicas;
import dev.equipoise.agent.training.TestingReplicas.Outcome;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.performance.cost.GradientReadiness;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Compression.SampledRows;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Synchronization.Weighting;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.protocol.Topology.Gossip;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import dev.equipoise.protocol.Topology.Payload;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains three replicas of a language model with sampled rows. */
class LanguageModelsTest {

    private static final int VOCABULARY = 40;
    private static final int SAMPLES = 960;
    private static final int REPLICAS = 3;
    private static final int ROUNDS = 40;

    /** Tolerance for float32 sums in another order. */
    private static final double TOLERANCE = 1e-5;

    private static final SampledRows SOME = new SampledRows(0.05, 0.1, 0.5, false, true);

    /** Sends everything, but of the embedding only rows with a gradient. */
    private static final SampledRows ALL = new SampledRows(1, 0, 1, false, false);

    private static final Compression NONE = new Compression.None();
    private static final Topology RING = Topology.AllReduce.by(Algorithm.RING);

    /**
     * Network with its data.
     *
     * @param rate learning rate that shows an effect within some epochs
     */
    record Model(Architecture network, DatasetSplit data, Brown spec, double rate) {

        @Override
        public String toString() {
            return network.name();
        }
    }

    private static final Model RECURRENT =
            new Model(
                    new Architecture(
                            "tiny-rnn",
                            new Shape.Tokens(5, VOCABULARY),
                            List.of(
                                    new Layer.Embedding(12),
                                    new Layer.Rnn(16),
                                    new Layer.Dense(VOCABULARY))),
                    TestingDatasets.sequences(VOCABULARY, 5, SAMPLES, 60, 1),
                    new Brown(Brown.View.SEQUENCES, VOCABULARY, 5, SAMPLES),
                    1.5);

    private static final Model FEED_FORWARD =
            new Model(
                    new Architecture(
                            "tiny-feed-forward",
                            new Shape.Tokens(2, VOCABULARY),
                            List.of(
                                    new Layer.Embedding(12),
                                    new Layer.Flatten(),
                                    new Layer.Dense(16),
                                    new Layer.Tanh(),
                                    new Layer.Dense(VOCABULARY))),
                    TestingDatasets.windows(VOCABULARY, 2, SAMPLES, 200, 1),
                    new Brown(Brown.View.WINDOWS, VOCABULARY, 2, SAMPLES),
                    1.5);

    static Stream<Arguments> modelsAndMethods() {
        return Stream.of(RECURRENT, FEED_FORWARD)
                .flatMap(model -> methods(SOME).map(method -> Arguments.of(model, method)));
    }

    private static Stream<Method> methods(Compression compression) {
        return Stream.concat(
                exactMethods(compression),
                Stream.of(
                        new Method(
                                new LocalSgd(
                                        2, Synchronization.Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                                Topology.AllReduce.by(Algorithm.TREE),
                                compression),
                        new Method(
                                new Synchronization.Async(
                                        2, Weighting.WEIGHTED, new StalenessCorrection.None()),
                                RING,
                                compression),
                        new Method(
                                new Synchronization.StaleSynchronous(
                                        2, false, new StalenessCorrection.None()),
                                new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN),
                                compression)));
    }

    /** Returns methods that do not depend on which rank is faster. */
    private static Stream<Method> exactMethods(Compression compression) {
        return Stream.of(
                new Method(new Synchronization.Bsp(), RING, compression),
                new Method(
                        new Synchronization.Bsp(),
                        Topology.AllReduce.by(Algorithm.HALVING_DOUBLING),
                        compression),
                new Method(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(2, false, Topology.Aggregate.MEAN),
                        compression),
                new Method(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(1, true, Topology.Aggregate.MEAN),
                        compression),
                gossip(Payload.GRADIENT, compression),
                gossip(Payload.UPDATE, compression));
    }

    private static Method gossip(Payload payload, Compression compression) {
        return new Method(
                new LocalSgd(1, Synchronization.Order.STEP_THEN_AVERAGE, Momentum.LOCAL),
                new Gossip(new Partners.Fixed(1), payload, Mixing.UNIFORM, 0),
                compression);
    }

    /** The accuracy ends above 0.8, whichever ranks are fast. */
    @ParameterizedTest
    @MethodSource("modelsAndMethods")
    void learnsOverEveryTopology(Model model, Method method) throws Exception {
        for (Outcome outcome : train(model, method, 16)) {
            EpochFinished last = outcome.epochs().getLast();

            assertThat(requireNonNull(last.test()).accuracy()).isGreaterThan(0.7);
        }
    }

    static Stream<Arguments> modelsAndTopologies() {
        return Stream.of(RECURRENT, FEED_FORWARD)
                .flatMap(model -> exactMethods(ALL).map(method -> Arguments.of(model, method)));
    }

    /** Rows of words outside the mini-batches are not sent, and have no gradient to lose. */
    @ParameterizedTest
    @MethodSource("modelsAndTopologies")
    void embeddingGradientsAreSentCompletely(Model model, Method method) throws Exception {
        var plain = new Method(method.synchronization(), method.topology(), NONE);

        List<Outcome> sampled = train(model, method, 2);

        List<Outcome> whole = train(model, plain, 2);
        for (int rank = method.topology().servers(); rank < sampled.size(); rank++) {
            assertThat(distance(sampled.get(rank), whole.get(rank))).isLessThan(TOLERANCE);
            assertThat(gradientBytes(sampled.get(rank))).isLessThan(gradientBytes(whole.get(rank)));
        }
    }

    @ParameterizedTest
    @MethodSource("modelsAndTopologies")
    void equalPlansSendEqualBytes(Model model, Method method) throws Exception {
        var some = new Method(method.synchronization(), method.topology(), SOME);

        List<Outcome> once = train(model, some, 2);
        List<Outcome> twice = train(model, some, 2);

        for (int rank = 0; rank < once.size(); rank++) {
            assertThat(twice.get(rank).parameters()).isEqualTo(once.get(rank).parameters());
            assertThat(twice.get(rank).epochs().getLast().traffic())
                    .isEqualTo(once.get(rank).epochs().getLast().traffic());
        }
    }

    @Test
    void replicasOverARingStayEqualAndSendTheirWords() throws Exception {
        List<Outcome> outcomes =
                train(RECURRENT, new Method(new Synchronization.Bsp(), RING, SOME), 3);

        for (Outcome outcome : outcomes) {
            assertThat(outcome.parameters()).isEqualTo(outcomes.getFirst().parameters());
            assertThat(outcome.epochs().getLast().traffic().controlBytes()).isPositive();
        }
    }

    /** Rank 0 is a server, and its link to rank 1 is slow. */
    @Test
    void replicaBehindASlowLinkSendsLess() throws Exception {
        var served =
                new Method(
                        new Synchronization.Bsp(),
                        new Topology.ParameterServer(1, false, Topology.Aggregate.MEAN),
                        new SampledRows(0.05, 0.1, 0.5, true, true));
        TrainingPlan plan = plan(RECURRENT, served, 2);

        List<Outcome> alike = replicas(RECURRENT).train(plan);
        List<Outcome> unequal =
                replicas(RECURRENT)
                        .train(TestingPlan.limited(plan, new LinkLimit(List.of(0, 1), 0.1, 0)));

        assertThat(gradientBytes(unequal.get(1))).isLessThan(gradientBytes(alike.get(1)));
        assertThat(gradientBytes(unequal.get(2))).isGreaterThan(gradientBytes(alike.get(2)));
    }

    /** Replicas of one process share networks, but track their own words. */
    @ParameterizedTest
    @MethodSource("modelsAndTopologies")
    void virtualRunSendsTheSameRows(Model model, Method method) throws Exception {
        TrainingPlan plan =
                plan(model, new Method(method.synchronization(), method.topology(), SOME), 2);

        List<Outcome> real = replicas(model).train(plan);

        assertThat(trainVirtually(model, plan))
                .isEqualTo(real.stream().map(Outcome::parameters).toList());
    }

    private static List<List<Float>> trainVirtually(Model model, TrainingPlan plan) {
        int ranks = plan.division().ranks();
        var objective = new Objective(plan.loss(), model.data().targets());
        Arena memory = Arena.ofAuto();
        try (Network one = Network.of(plan.network(), objective, TestingReplicas.BACKEND);
                Network other = Network.of(plan.network(), objective, TestingReplicas.BACKEND);
                var cluster = new VirtualCluster(ranks, LinkModel.uniform(1000, 1), 2)) {
            one.initialize(plan.seed());
            List<Gradients> gradients =
                    Stream.of(one, other)
                            .map(it -> Gradients.of(plan, it, model.data(), memory))
                            .toList();
            List<Callable<List<Float>>> bodies = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                int ofRank = rank;
                var learner =
                        new VirtualLearner(
                                cluster,
                                gradients,
                                rank,
                                1,
                                _ -> ComputeTime.ofRate(1000),
                                List.of(new GradientReadiness(0, 1)),
                                plan.seed(),
                                memory);
                bodies.add(() -> {
                    new RankRunner(
                                    plan,
                                    epoch -> Permutation.of(plan.seed(), epoch, SAMPLES),
                                    learner,
                                    null,
                                    new RankEnvironment(
                                            cluster.channel(ofRank),
                                            cluster.time(ofRank),
                                            cluster.background(ofRank),
                                            ExecutionOrder.FREE),
                                    new DivergedWeightsStore(Path.of("target/weights"))
                                            .lastFiniteWeights(
                                                    RunId.of(new UUID(1, 1)),
                                                    one.parameterCount(),
                                                    memory),
                                    memory)
                            .train(_ -> {});
                    return TestingReplicas.floats(learner.weights());
                });
            }
            return cluster.run(bodies);
        }
    }

    private static long gradientBytes(Outcome outcome) {
        return outcome.epochs().getLast().traffic().gradientBytes();
    }

    private static double distance(Outcome one, Outcome other) {
        return IntStream.range(0, one.parameters().size())
                .mapToDouble(i -> Math.abs(one.parameters().get(i) - other.parameters().get(i)))
                .max()
                .orElseThrow();
    }

    private static List<Outcome> train(Model model, Method method, int epochs)
            throws InterruptedException {
        return replicas(model).train(plan(model, method, epochs));
    }

    private static TestingReplicas replicas(Model model) {
        return new TestingReplicas(model.data(), SystemTime::new);
    }

    private static TrainingPlan plan(Model model, Method method, int epochs) {
        int servers = method.topology().servers();
        List<Integer> shares =
                IntStream.range(-servers, REPLICAS)
                        .map(place -> place < 0 ? 0 : SAMPLES / REPLICAS)
                        .boxed()
                        .toList();
        // At the learning rate of methods that wait, late gradients make the accuracy oscillate.
        boolean isLate =
                method.synchronization() instanceof Synchronization.Async
                        || method.synchronization() instanceof Synchronization.StaleSynchronous;
        return TestingPlan.with(
                TestingPlan.with(
                        TestingPlan.of(
                                model.spec(),
                                model.network(),
                                new OptimizerSpec.Sgd(
                                        isLate ? model.rate() / REPLICAS : model.rate()),
                                EpochDivision.of(shares, ROUNDS)),
                        method),
                epochs);
    }
}
