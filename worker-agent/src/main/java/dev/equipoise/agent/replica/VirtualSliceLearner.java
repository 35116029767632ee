package dev.equipoise.agent.replica;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import dev.equipoise.agent.virtual.ComputeTime;
import dev.equipoise.agent.virtual.VirtualCluster;
import dev.equipoise.performance.hybrid.Perceptron;
import dev.equipoise.performance.hybrid.Work;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/**
 * On a clock that tells what computing would take: of the time that the rank would take for the
 * whole network and the same samples, the part that its hidden units are of the work.
 */
final class VirtualSliceLearner implements SliceLearner {

    private final VirtualCluster cluster;
    private final SliceGradients gradients;
    private final int rank;
    private final Work share;
    private final IntFunction<ComputeTime> computeTimes;
    private ComputeTime computeTime;
    private long draws;

    /** Of the whole network, for the samples of this round. */
    private long nanos;

    private VirtualSliceLearner(
            VirtualCluster cluster,
            SliceGradients gradients,
            int rank,
            Work share,
            IntFunction<ComputeTime> computeTimes) {
        this.cluster = cluster;
        this.gradients = gradients;
        this.rank = rank;
        this.share = share;
        this.computeTimes = computeTimes;
        this.computeTime = computeTimes.apply(1);
    }

    /**
     * For a rank of a plan whose ranks share hidden units.
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
        Work share = Work.share(perceptron, gradients.hidden().units());
        return new VirtualSliceLearner(cluster, gradients, rank, share, computeTimes);
    }

    @Override
    public HiddenSlice hidden() {
        return gradients.hidden();
    }

    @Override
    public void begin(int epoch) {
        computeTime = computeTimes.apply(epoch);
    }

    @Override
    public MemorySegment sums(int[] order, Slice samples) {
        nanos = computeTime.nanos(samples.count(), rank, draws++);
        return cluster.compute(
                part(share.forward()), _ -> gradients.sums(order, samples, () -> {}));
    }

    @Override
    public double learn() {
        return cluster.compute(part(share.backward()), _ -> gradients.gradient(() -> {}));
    }

    private long part(double fraction) {
        return Math.round(nanos * fraction);
    }
}
