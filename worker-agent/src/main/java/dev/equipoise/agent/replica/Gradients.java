package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.network.Loss.Reduction;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.stream.IntStream;

/** A network before its data: what it learns from some samples, and how well it knows others. */
final class Gradients {

    private static final int TEST_BATCH = 250;
    private static final int MOST_NUMBERS = 1 << 22;

    private final Network network;
    private final Reduction reduction;
    private final Dataset training;
    private final Dataset test;
    private final int[] testOrder;
    private final Minibatch minibatch;
    private final Minibatch testBatch;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment collected;

    /**
     * @param largest samples of a mini-batch
     * @param memory what it computes in; must outlive it
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

    /** For any rank of a plan. */
    static Gradients of(TrainingPlan plan, Network network, DatasetSplit data, Arena memory) {
        TrainingPlan.Division division = plan.division();
        TrainingPlan.Rebalancing rebalancing = division.rebalancing();
        int largest =
                rebalancing == null
                        ? largest(division)
                        : Math.min(
                                Math.ceilDiv(plan.trainingSamples(), division.rounds()),
                                Collections.max(rebalancing.rooms()));
        return new Gradients(network, plan.loss().reduction(), data, largest, memory);
    }

    /** Of shares that stay; of others, one rank may come to take nearly all of a round. */
    private static int largest(TrainingPlan.Division division) {
        var shards = new Shards(division.shares(), division.rounds());
        return IntStream.range(0, division.ranks())
                .map(it -> Math.ceilDiv(shards.largestBatch(it), division.counts().get(it)))
                .max()
                .orElseThrow();
    }

    /** Fewer samples where each is large, or has many labels. */
    private static int testBatch(Dataset test, int positions) {
        int most = Math.min(TEST_BATCH / positions, MOST_NUMBERS / test.shape().size());
        return Math.clamp(most, 1, TEST_BATCH);
    }

    Network network() {
        return network;
    }

    int testSamples() {
        return test.size();
    }

    /** None yet; of samples that have no words, none ever. */
    Words words() {
        return training.shape() instanceof Tokens(int _, int vocabulary)
                ? new Words(vocabulary, training.classes())
                : new Words(0, 0);
    }

    /**
     * Overwrites the network's gradient by that over some samples, mini-batch after mini-batch on
     * the same weights.
     *
     * @param batches into which the samples are cut
     * @param words see those of the samples
     * @param pause is called after each layer's work
     * @return the mean loss of a prediction; 0 of no samples
     */
    double of(int[] order, Slice slice, int batches, Words words, Runnable pause) {
        if (batches == 1) {
            return ofBatch(order, slice, words, pause);
        }
        collected.fill((byte) 0);
        double lossSum = 0;
        for (int i = 0; i < batches; i++) {
            Slice part = part(slice, i, batches);
            lossSum += part.count() * ofBatch(order, part, words, pause);
            collect(part.count(), slice.count());
        }
        network.gradient().copyFrom(collected);
        return slice.count() == 0 ? 0 : lossSum / slice.count();
    }

    private double ofBatch(int[] order, Slice slice, Words words, Runnable pause) {
        training.read(order, slice.from(), slice.count(), minibatch);
        if (minibatch.shape() instanceof Tokens) {
            see(words);
        }
        return network.gradient(minibatch, pause);
    }

    private void see(Words words) {
        int inputs = minibatch.size() * minibatch.shape().size();
        for (int i = 0; i < inputs; i++) {
            words.seeInput(minibatch.tokens()[i]);
        }
        for (int i = 0; i < minibatch.labelCount(); i++) {
            words.seeLabel(minibatch.labels()[i]);
        }
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
     * How well the network does on a part of the test set.
     *
     * @throws InterruptedException when the thread was interrupted, at the next batch
     */
    Score score(int from, int to) throws InterruptedException {
        Score score = Score.NONE;
        int batch = testBatch.capacity();
        for (int at = from; at < to; at += batch) {
            if (Thread.interrupted()) {
                throw new InterruptedException("looking at the test set");
            }
            test.read(testOrder, at, Math.min(batch, to - at), testBatch);
            score = score.plus(network.score(testBatch));
        }
        return score;
    }
}
