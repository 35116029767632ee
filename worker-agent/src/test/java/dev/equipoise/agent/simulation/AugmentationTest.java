package dev.equipoise.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.training.TestingReplicas;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains on cropped and flipped images, on real and on simulated ranks. */
class AugmentationTest {

    private static final int SAMPLES = 48;
    private static final int ROUNDS = 4;
    private static final int EPOCHS = 3;

    /** Tolerance for float32 sums in another order, over 12 steps. */
    private static final double TOLERANCE = 1e-5;

    private static final Augmentation RECIPE =
            new Augmentation(new Augmentation.Crop(1), Augmentation.Flip.HORIZONTAL);
    private static final Architecture PERCEPTRON =
            Architecture.of(
                    "perceptron",
                    new Shape.Image(4, 5, 3),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(12),
                            new Layer.Sigmoid(),
                            new Layer.Dense(5)));

    @TempDir Path folder;

    @Test
    void replicasOfAnyDivisionTrainLikeOne() throws Exception {
        List<Float> alone = train(plan(RECIPE, List.of(SAMPLES)));

        assertThat(distance(train(plan(RECIPE, List.of(16, 16, 16))), alone)).isLessThan(TOLERANCE);
        assertThat(distance(train(plan(RECIPE, List.of(4, 44))), alone)).isLessThan(TOLERANCE);
        assertThat(distance(train(plan(Augmentation.NONE, List.of(SAMPLES))), alone))
                .isGreaterThan(100 * TOLERANCE);
    }

    /** The members of a group sum over hidden units, and must see the same images. */
    @Test
    void membersOfAGroupSeeTheSameImages() throws Exception {
        List<Float> alone = train(plan(RECIPE, List.of(SAMPLES)));
        var grouping = new Grouping(List.of(List.of(0, 1)), List.of(5, 7));

        List<Float> group = train(TestingPlan.in(plan(RECIPE, List.of(SAMPLES, 0)), grouping));

        assertThat(distance(group, alone)).isLessThan(TOLERANCE);
    }

    @Test
    void virtualRunTrainsOnTheImagesOfARealOne() throws Exception {
        TrainingPlan plan = plan(RECIPE, List.of(20, 28));
        List<TestingReplicas.Outcome> real =
                new TestingReplicas(data(RECIPE), SystemTime::new).train(plan);

        List<EpochFinished> virtual = simulate(plan);

        assertThat(virtual).hasSize(2 * EPOCHS);
        for (EpochFinished epoch : virtual) {
            EpochFinished other = real.get(epoch.rank()).epochs().get(epoch.epoch() - 1);
            assertThat(epoch.parameters()).isEqualTo(other.parameters());
            assertThat(epoch.test()).isEqualTo(other.test());
        }
        assertThat(simulate(plan(Augmentation.NONE, List.of(20, 28))).getLast().parameters())
                .isNotEqualTo(virtual.getLast().parameters());
    }

    private List<Float> train(TrainingPlan plan) throws InterruptedException {
        return new TestingReplicas(data(plan.dataset().augment()), SystemTime::new)
                .train(plan)
                .getFirst()
                .parameters();
    }

    private static List<EpochFinished> simulate(TrainingPlan plan) throws InterruptedException {
        var virtual =
                new Execution.Virtual(
                        List.of(Execution.Speed.of(1e3)), 0, new Execution.Link(50, 100));
        List<RunReport> events = Collections.synchronizedList(new ArrayList<>());
        TestingSimulation.run(TestingPlan.with(plan, virtual), events::add);
        return events.stream()
                .filter(EpochFinished.class::isInstance)
                .map(EpochFinished.class::cast)
                .toList();
    }

    private static TrainingPlan plan(Augmentation augmentation, List<Integer> shares) {
        return TestingPlan.with(
                TestingPlan.of(
                        spec(augmentation),
                        PERCEPTRON,
                        new OptimizerSpec.Sgd(0.5),
                        EpochDivision.of(shares, ROUNDS)),
                EPOCHS);
    }

    private static DatasetSpec spec(Augmentation augmentation) {
        return new DatasetSpec.Synthetic(List.of(4, 5, 3), 5, SAMPLES, 1, SAMPLES, augmentation);
    }

    private DatasetSplit data(Augmentation augmentation) throws InterruptedException {
        return new DatasetRegistry(
                        DatasetSettings.fromEnvironment(
                                Map.of("EQUIPOISE_DATASETS", folder.toString())))
                .load(spec(augmentation), SAMPLES)
                .augmented(augmentation, 1);
    }

    private static double distance(List<Float> one, List<Float> other) {
        return IntStream.range(0, one.size())
                .mapToDouble(i -> Math.abs(one.get(i) - other.get(i)))
                .max()
                .orElseThrow();
    }
}
