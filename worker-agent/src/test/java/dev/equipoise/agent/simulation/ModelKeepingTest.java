package dev.equipoise.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.training.TestingModels;
import dev.equipoise.agent.training.TestingModels.Stored;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.ModelKeeping.Criterion;
import dev.equipoise.protocol.ModelKeeping.Kept;
import dev.equipoise.protocol.ModelKeeping.WeightSource;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Models that ranks store, and with which they begin. */
class ModelKeepingTest {

    private static final int CLASSES = 3;
    private static final int EPOCHS = 6;
    private static final List<Integer> SHARES = List.of(20, 16, 28);
    private static final int SAMPLES = SHARES.stream().mapToInt(it -> it).sum();
    private static final Architecture NETWORK =
            new Architecture(
                    "tiny",
                    new Shape.Image(5, 5, 1),
                    List.of(new Layer.Flatten(), new Layer.Dense(CLASSES)));

    private static final Method GOSSIP =
            new Method(
                    new Synchronization.LocalSgd(
                            1,
                            Synchronization.Order.STEP_THEN_AVERAGE,
                            Synchronization.Momentum.LOCAL),
                    new Topology.Gossip(
                            new Topology.Partners.Fixed(1),
                            Topology.Payload.WEIGHTS,
                            Topology.Mixing.UNIFORM,
                            0),
                    new Compression.None());

    private static TrainingPlan plan(Method method) {
        TrainingPlan plan =
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(5, 5, 1), CLASSES, SAMPLES, 1, SAMPLES),
                        NETWORK,
                        new OptimizerSpec.Sgd(0.05),
                        EpochDivision.of(SHARES, 4));
        TrainingPlan observed =
                TestingPlan.with(
                        TestingPlan.with(plan, EPOCHS),
                        new Observation(1, Observation.Replicas.ALWAYS, false, false));
        return TestingPlan.on(
                TestingPlan.with(observed, method),
                new Execution.Virtual(
                        List.of(Speed.of(1000), Speed.of(300)), 0.2, new Execution.Link(50, 100)));
    }

    private static List<RunReport> train(TrainingPlan plan, @Nullable TestingModels models)
            throws InterruptedException {
        List<RunReport> events = new ArrayList<>();
        TestingSimulation.run(plan, events::add, models);
        return events;
    }

    private static List<EpochFinished> epochs(List<RunReport> events, int rank) {
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .filter(it -> it.rank() == rank)
                .toList();
    }

    private static ModelScore score(int epoch, EpochFinished.@Nullable TestScore test) {
        EpochFinished.TestScore known = Objects.requireNonNull(test);
        return new ModelScore(epoch, known.accuracy(), known.loss());
    }

    /** Returns the best of an epoch's scores and those before, by accuracy and then by loss. */
    private static List<ModelScore> improvements(List<ModelScore> scores) {
        List<ModelScore> improved = new ArrayList<>();
        for (ModelScore each : scores) {
            if (each.isBetterThan(
                    improved.isEmpty() ? null : improved.getLast(), Criterion.ACCURACY)) {
                improved.add(each);
            }
        }
        return improved;
    }

    @Test
    void lastModelIsThatOfTheLastEpoch() throws Exception {
        TestingModels models = TestingModels.keeping(Kept.LAST, WeightSource.MEAN, null);

        List<EpochFinished> epochs = epochs(train(plan(TestingPlan.BSP), models), 0);

        assertThat(models.stored()).hasSize(1);
        Stored model = models.stored().getFirst();
        assertThat(model.rank()).isZero();
        assertThat(model.score()).isEqualTo(score(EPOCHS, epochs.getLast().test()));
        assertThat(model.parameters()).isEqualTo(epochs.getLast().parameters());
    }

    @Test
    void bestModelIsThatOfEachEvaluationThatIsTheBestSoFar() throws Exception {
        TestingModels models = TestingModels.keeping(Kept.BEST, WeightSource.MEAN, null);

        List<EpochFinished> epochs = epochs(train(plan(TestingPlan.BSP), models), 0);

        List<ModelScore> scores = epochs.stream().map(it -> score(it.epoch(), it.test())).toList();
        assertThat(models.stored())
                .extracting(Stored::score)
                .isEqualTo(improvements(scores))
                .hasSizeGreaterThan(1);
        assertThat(models.stored())
                .allSatisfy(it ->
                        assertThat(it.parameters())
                                .isEqualTo(epochs.get(it.score().epoch() - 1).parameters()));
    }

    @Test
    void betterModelOfAnEarlierGenerationStays() throws Exception {
        TestingModels models =
                TestingModels.keeping(Kept.BEST, WeightSource.MEAN, new ModelScore(3, 1, 0));

        train(plan(TestingPlan.BSP), models);

        assertThat(models.stored()).isEmpty();
    }

    @Test
    void modelOfDifferentReplicasIsTheirMeanThatWasEvaluated() throws Exception {
        TestingModels models = TestingModels.keeping(Kept.LAST, WeightSource.MEAN, null);

        List<RunReport> events = train(plan(GOSSIP), models);

        assertThat(models.stored()).hasSize(1);
        Stored mean = models.stored().getFirst();
        assertThat(mean.score()).isEqualTo(score(EPOCHS, epochs(events, 0).getLast().test()));
        assertThat(List.of(0, 1, 2))
                .extracting(it -> epochs(events, it).getLast().parameters())
                .doesNotHaveDuplicates()
                .doesNotContain(mean.parameters());
    }

    @Test
    void eachComparedReplicaOffersItsOwnModel() throws Exception {
        TestingModels models = TestingModels.keeping(Kept.LAST, WeightSource.BEST_REPLICA, null);

        List<RunReport> events = train(plan(GOSSIP), models);

        assertThat(models.stored()).extracting(Stored::rank).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(models.stored())
                .allSatisfy(it -> {
                    EpochFinished last = epochs(events, it.rank()).getLast();
                    assertThat(it.score()).isEqualTo(score(EPOCHS, last.own()));
                    assertThat(it.parameters()).isEqualTo(last.parameters());
                });
    }

    @Test
    void modelsLeaveTheTrainingUnchanged() throws Exception {
        List<RunReport> without = train(plan(GOSSIP), null);

        List<RunReport> with =
                train(
                        plan(GOSSIP),
                        TestingModels.keeping(Kept.BEST, WeightSource.BEST_REPLICA, null));

        for (int rank = 0; rank < SHARES.size(); rank++) {
            assertThat(epochs(with, rank)).isEqualTo(epochs(without, rank));
        }
    }

    @Test
    void ranksBeginWithTheInitialModelToTheBit() throws Exception {
        TestingModels models = TestingModels.keeping(Kept.LAST, WeightSource.MEAN, null);
        train(plan(TestingPlan.BSP), models);
        Stored source = models.stored().getFirst();

        List<RunReport> events = train(plan(TestingPlan.BSP), TestingModels.beginningWith(source));

        assertThat(events)
                .filteredOn(ReplicaReady.class::isInstance)
                .hasSize(SHARES.size())
                .extracting(it -> ((ReplicaReady) it).parameters())
                .containsOnly(source.parameters());
        assertThat(epochs(events, 0).getFirst().meanLoss())
                .as("the training goes on")
                .isLessThan(epochs(train(plan(TestingPlan.BSP), null), 0).getFirst().meanLoss());
    }
}
