package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Loss.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Network with its data: computes gradients over training samples, and scores on test samples. */
public final class Gradients {

    private static final int TEST_BATCH = 250;
    private static final int MAX_NUMBERS = 1 << 22;

    private final Network network;
    private final Reduction reduction;
    private final Dataset test;
    private final int[] testOrder;
    private final Minibatch minibatch;
    private final Minibatch testBatch;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment collected;
    private Dataset training;

    /**
     * @param largest number of samples of the largest mini-batch
     * @param memory holds the mini-batches; must outlive this
     */
    Gradients(Network network, Reduction reduction, DatasetSplit data, int largest, Arena memory) {
        this.network = network;
        this.reduction = reduction;
        this.training = data.training();
        this.test = data.test();
        this.testOrder = IntStream.range(0, test.size()).toArray();
        this.minibatch = new Minibatch(training.shape(), training.positions(), largest, memory);
        int positions = network.architecture().positions();
        this.testBatch = new Minibatch(test.shape(), positions, testBatch(test, positions), memory);
        this.collected = memory.allocate(JAVA_FLOAT, network.parameterCount());
    }

    /** Creates the gradients for any rank of a plan. */
    public static Gradients of(
            TrainingPlan plan, Network network, DatasetSplit data, Arena memory) {
        TrainingPlan.EpochDivision division = plan.division();
        TrainingPlan.Rebalancing rebalancing = division.rebalancing();
        int largest =
                rebalancing == null
                        ? largest(division)
                        : Math.min(
                                Math.ceilDiv(plan.trainingSamples(), division.rounds()),
                                Collections.max(rebalancing.rooms()));
        return new Gradients(network, plan.loss().reduction(), data, largest, memory);
    }

    /**
     * Returns the largest mini-batch of constant shares; with dynamic ones, one rank may come to
     * take nearly all samples of a round.
     */
    private static int largest(TrainingPlan.EpochDivision division) {
        var shards = new Shards(division.shares(), division.rounds());
        return IntStream.range(0, division.ranks())
                .map(it -> Math.ceilDiv(shards.largestBatch(it), division.counts().get(it)))
                .max()
                .orElseThrow();
    }

    /** Returns the batch size for tests, which is smaller for large samples or many labels. */
    private static int testBatch(Dataset test, int positions) {
        int max = Math.min(TEST_BATCH / positions, MAX_NUMBERS / test.shape().size());
        return Math.clamp(max, 1, TEST_BATCH);
    }

    public Network network() {
        return network;
    }

    public int testSamples() {
        return test.size();
    }

    /**
     * Begins an epoch and selects its augmented training images. Before the first call they are
     * those of epoch 1.
     *
     * @param epoch from 1
     */
    public void begin(int epoch) {
        training = training.inEpoch(epoch);
    }

    /**
     * Computes the gradient over some samples, mini-batch after mini-batch on the same weights.
     *
     * @param batches number of mini-batches of the samples
     * @param listener receives each mini-batch before its gradient is computed
     * @param pause is called after each layer's work
     * @param progress is told which part of the gradient is complete; with several mini-batches,
     *     only after the last one
     * @return mean loss of a prediction; 0 without samples
     */
    public double compute(
            int[] order,
            Slice slice,
            int batches,
            Consumer<Minibatch> listener,
            Runnable pause,
            GradientListener progress) {
        if (batches == 1) {
            return ofBatch(order, slice, listener, pause, progress);
        }
        collected.fill((byte) 0);
        double lossSum = 0;
        for (int i = 0; i < batches; i++) {
            Slice part = part(slice, i, batches);
            lossSum += part.count() * ofBatch(order, part, listener, pause, GradientListener.NONE);
            collect(part.count(), slice.count());
        }
        network.gradient().copyFrom(collected);
        progress.completeFrom(0);
        return slice.count() == 0 ? 0 : lossSum / slice.count();
    }

    private double ofBatch(
            int[] order,
            Slice slice,
            Consumer<Minibatch> listener,
            Runnable pause,
            GradientListener progress) {
        training.read(order, slice.from(), slice.count(), minibatch);
        listener.accept(minibatch);
        return network.gradient(minibatch, pause, progress);
    }

    private static Slice part(Slice slice, int index, int batches) {
        int from = (int) ((long) index * slice.count() / batches);
        int to = (int) ((index + 1L) * slice.count() / batches);
        return new Slice(slice.from() + from, to - from);
    }

    private void collect(int samples, int all) {
        MemorySegment gradient = network.gradient();
        if (reduction == Reduction.MEAN && samples > 0) {
            scale.scale(gradient, (float) samples / all, gradient);
        }
        sum.add(collected, 0, gradient, 0, gradient.byteSize());
    }

    /**
     * Evaluates the network on a part of the test set.
     *
     * @throws InterruptedException at the next batch after an interrupt
     */
    public Score score(int from, int to) throws InterruptedException {
        Score score = Score.NONE;
        int batch = testBatch.capacity();
        for (int at = from; at < to; at += batch) {
            if (Thread.interrupted()) {
                throw new InterruptedException("evaluating on the test set");
            }
            test.read(testOrder, at, Math.min(batch, to - at), testBatch);
            score = score.plus(network.score(testBatch));
        }
        return score;
    }
}
