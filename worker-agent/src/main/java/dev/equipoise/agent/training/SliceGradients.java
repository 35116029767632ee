package dev.equipoise.agent.training;

import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.HiddenSlice;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Hidden units of a rank with the data of its group. */
public record SliceGradients(HiddenSlice hidden, Dataset training, Minibatch minibatch)
        implements AutoCloseable {

    /**
     * Creates the slice of a rank with the weights of the whole network; null without groups.
     *
     * @param weights weights of the whole network
     * @param memory must outlive this
     */
    public static @Nullable SliceGradients of(
            TrainingPlan plan,
            int rank,
            DatasetSplit data,
            Backend backend,
            MemorySegment weights,
            Arena memory) {
        Grouping grouping = plan.division().grouping();
        if (grouping == null) {
            return null;
        }
        int position = grouping.positionOf(rank);
        // The last member of a group is the fastest.
        boolean hasOutputBias = position == grouping.nodeParallel() - 1;
        HiddenSlice hidden =
                HiddenSlice.of(
                        plan.network(),
                        PlanData.objective(plan, data),
                        backend,
                        grouping.firstUnit(position),
                        grouping.units().get(position),
                        hasOutputBias);
        hidden.cutFrom(weights);
        int first = grouping.groups().get(grouping.groupOf(rank)).getFirst();
        int largest = Math.ceilDiv(plan.division().shares().get(first), plan.division().rounds());
        Dataset training = data.training();
        return new SliceGradients(
                hidden,
                training,
                new Minibatch(training.shape(), training.positions(), largest, memory));
    }

    /**
     * Computes the slice's part of the sums of some samples.
     *
     * @param epoch from 1, in which an augmentation draws the images; equal for all members of the
     *     group
     */
    public MemorySegment sums(int epoch, int[] order, Slice samples, Runnable pause) {
        training.inEpoch(epoch).read(order, samples.from(), samples.count(), minibatch);
        return hidden.sums(minibatch, pause);
    }

    /**
     * Computes the gradient of the same samples from the sums over the group; returns the mean
     * loss.
     */
    public double gradient(Runnable pause) {
        return hidden.gradient(minibatch, pause);
    }

    @Override
    public void close() {
        hidden.close();
    }
}
