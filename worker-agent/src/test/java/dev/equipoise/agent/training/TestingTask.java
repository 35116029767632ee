package dev.equipoise.agent.training;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.TestingDatasets;
import dev.equipoise.performance.partition.Partitioner;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.LocalSgd;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Training whose result depends on every part of the rank state. */
final class TestingTask {

    static final int ROUNDS = 6;
    static final int SAMPLES = 99;

    /** Dropout makes its random state a part of the rank state. */
    private static final Architecture ARCHITECTURE =
            new Architecture(
                    "tiny",
                    new Shape.Image(8, 8, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(12),
                            new Layer.Relu(),
                            new Layer.Dropout(0.3),
                            new Layer.Dense(5)));

    static final DatasetSplit DATA =
            TestingDatasets.noisyPatterns(ARCHITECTURE.input(), 5, SAMPLES, 301, 1);

    /** A rank that continues must draw the crops and flips that it would have drawn. */
    static final DatasetSplit AUGMENTED =
            DATA.augmented(
                    new Augmentation(new Augmentation.Crop(1), Augmentation.Flip.HORIZONTAL), 1);

    private static final Architecture PERCEPTRON =
            Architecture.of(
                    "perceptron",
                    new Shape.Image(8, 8, 1),
                    List.of(
                            new Layer.Flatten(),
                            new Layer.Dense(12),
                            new Layer.Sigmoid(),
                            new Layer.Dense(5)));

    private static final int VOCABULARY = 40;
    private static final int WINDOW = 2;

    private static final Architecture LANGUAGE_MODEL =
            new Architecture(
                    "tiny-language-model",
                    new Shape.Tokens(WINDOW, VOCABULARY),
                    List.of(
                            new Layer.Embedding(6),
                            new Layer.Flatten(),
                            new Layer.Dense(8),
                            new Layer.Tanh(),
                            new Layer.Dense(VOCABULARY)));

    static final DatasetSplit WORDS = TestingDatasets.windows(VOCABULARY, WINDOW, SAMPLES, 60, 1);

    static final OptimizerSpec SGD = new OptimizerSpec.Sgd(0.05);
    static final OptimizerSpec MOMENTUM =
            new OptimizerSpec.Sgd(
                    0.05, 0.9, true, 0.01, new Schedule.Cosine(0.1, 0.5), new Clipping.Norm(1));

    /** Ranks with a part of the weights cannot clip by the norm of all. */
    static final OptimizerSpec UNCLIPPED =
            new OptimizerSpec.Sgd(
                    0.05, 0.9, true, 0.01, new Schedule.Cosine(0.1, 0.5), new Clipping.None());

    static final OptimizerSpec ADAM =
            new OptimizerSpec.Adam(
                    0.01, 0.9, 0.999, 1e-8, 0.01, new Schedule.Constant(0), new Clipping.None());

    private TestingTask() {}

    static LocalSgd localSgd(Momentum momentum) {
        return new LocalSgd(3, Synchronization.Order.STEP_THEN_AVERAGE, momentum);
    }

    static TrainingPlan plan(
            Synchronization synchronization,
            OptimizerSpec optimizer,
            int epochs,
            List<Integer> shares) {
        var method =
                new Method(
                        synchronization,
                        Topology.AllReduce.by(Topology.Algorithm.RING),
                        new Compression.None());
        return plan(method, optimizer, epochs, shares);
    }

    /**
     * @param shares those of servers, in front, are 0
     */
    static TrainingPlan plan(
            Method method, OptimizerSpec optimizer, int epochs, List<Integer> shares) {
        return plan(method, optimizer, epochs, shares, Collections.nCopies(shares.size(), 1));
    }

    /**
     * @param shares those of servers, in front, are 0
     * @param counts mini-batches of each rank in a round
     */
    static TrainingPlan plan(
            Method method,
            OptimizerSpec optimizer,
            int epochs,
            List<Integer> shares,
            List<Integer> counts) {
        return plan(
                method,
                optimizer,
                epochs,
                new EpochDivision(shares, ROUNDS, counts, Collections.nCopies(shares.size(), 1.0)));
    }

    static TrainingPlan plan(
            Method method, OptimizerSpec optimizer, int epochs, EpochDivision division) {
        TrainingPlan bsp =
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(8, 8, 1), 5, SAMPLES, 1, SAMPLES),
                        ARCHITECTURE,
                        optimizer,
                        division);
        return TestingPlan.with(TestingPlan.with(bsp, epochs), method);
    }

    /**
     * Returns a plan with dynamic load balancing, and memory for all samples on every rank.
     *
     * @param shares those of the first epoch
     */
    static TrainingPlan balancedPlan(
            Method method,
            OptimizerSpec optimizer,
            int epochs,
            List<Integer> shares,
            double hysteresis) {
        int ranks = shares.size();
        return plan(
                method,
                optimizer,
                epochs,
                new EpochDivision(
                        shares,
                        ROUNDS,
                        Collections.nCopies(ranks, 1),
                        Collections.nCopies(ranks, 1.0),
                        1,
                        new TrainingPlan.Rebalancing(
                                hysteresis, Collections.nCopies(ranks, SAMPLES))));
    }

    /**
     * Returns a plan of hybrid parallelism, whose groups share the samples equally.
     *
     * @param grouping groups of twelve hidden units
     */
    static TrainingPlan hybridPlan(OptimizerSpec optimizer, int epochs, Grouping grouping) {
        List<Integer> samples = Partitioner.equal(SAMPLES, grouping.dataParallel());
        List<Integer> shares = new ArrayList<>(Collections.nCopies(grouping.ranks(), 0));
        for (int group = 0; group < samples.size(); group++) {
            shares.set(grouping.groups().get(group).getFirst(), samples.get(group));
        }
        return TestingPlan.with(
                TestingPlan.of(
                        new DatasetSpec.Synthetic(List.of(8, 8, 1), 5, SAMPLES, 1, SAMPLES),
                        PERCEPTRON,
                        optimizer,
                        EpochDivision.of(shares, ROUNDS).in(grouping)),
                epochs);
    }

    /**
     * Returns the plan of a language model, which trains on {@link #WORDS}.
     *
     * @param shares those of servers, in front, are 0
     */
    static TrainingPlan languagePlan(Method method, int epochs, List<Integer> shares) {
        TrainingPlan bsp =
                TestingPlan.of(
                        new Brown(Brown.View.WINDOWS, VOCABULARY, WINDOW, SAMPLES),
                        LANGUAGE_MODEL,
                        MOMENTUM,
                        EpochDivision.of(shares, ROUNDS));
        return TestingPlan.with(TestingPlan.with(bsp, epochs), method);
    }
}
