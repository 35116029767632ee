package dev.equipoise.agent.simulation;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import dev.equipoise.agent.training.SliceGradients;
import dev.equipoise.agent.training.SliceLearner;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.performance.hybrid.Perceptron;
import dev.equipoise.performance.hybrid.SampleWork;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/**
 * Computes with a rank's hidden units on a virtual clock: each part takes the fraction of the whole
 * network's compute time that the hidden units are of the work.
 */
final class VirtualSliceLearner implements SliceLearner {

    private final VirtualCluster cluster;
    private final SliceGradients gradients;
    private final int rank;
    private final SampleWork workShare;
    private final IntFunction<ComputeTime> computeTimes;
    private ComputeTime computeTime;
    private int epoch = 1;
    private long draws;

    /** Compute time of the whole network for the samples of this round, in nanoseconds. */
    private long nanos;

    private VirtualSliceLearner(
            VirtualCluster cluster,
            SliceGradients gradients,
            int rank,
            SampleWork workShare,
            IntFunction<ComputeTime> computeTimes) {
        this.cluster = cluster;
        this.gradients = gradients;
        this.rank = rank;
        this.workShare = workShare;
        this.computeTimes = computeTimes;
        this.computeTime = computeTimes.apply(1);
    }

    /**
     * Creates the learner for a rank under hybrid parallelism.
     *
     * @param computeTimes of the whole network by epoch, from 1
     */
    static VirtualSliceLearner of(
            TrainingPlan plan,
            VirtualCluster cluster,
            SliceGradients gradients,
            int rank,
            IntFunction<ComputeTime> computeTimes) {
        Perceptron perceptron = Perceptron.of(plan.network()).orElseThrow();
        SampleWork workShare = SampleWork.share(perceptron, gradients.hidden().units());
        return new VirtualSliceLearner(cluster, gradients, rank, workShare, computeTimes);
    }

    @Override
    public HiddenSlice hidden() {
        return gradients.hidden();
    }

    @Override
    public void begin(int number) {
        epoch = number;
        computeTime = computeTimes.apply(number);
    }

    @Override
    public MemorySegment sums(int[] order, Slice samples) {
        nanos = computeTime.nanos(samples.count(), rank, draws++);
        return cluster.compute(
                part(workShare.forward()), _ -> gradients.sums(epoch, order, samples, () -> {}));
    }

    @Override
    public double learn() {
        return cluster.compute(part(workShare.backward()), _ -> gradients.gradient(() -> {}));
    }

    private long part(double fraction) {
        return Math.round(nanos * fraction);
    }
}
