package dev.equipoise.agent.replica;

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

/** A rank's hidden units before its group's data. */
record SliceGradients(HiddenSlice hidden, Dataset training, Minibatch minibatch)
        implements AutoCloseable {

    /**
     * Of a rank, with the weights that the whole network has; null where ranks are in no groups.
     *
     * @param weights of the whole network
     * @param memory must outlive it
     */
    static @Nullable SliceGradients of(
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
        // The last of a group is its fastest.
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

    /** The slice's part of the sums of some samples. */
    MemorySegment sums(int[] order, Slice samples, Runnable pause) {
        training.read(order, samples.from(), samples.count(), minibatch);
        return hidden.sums(minibatch, pause);
    }

    /** The gradient of the same samples, whose sums are now whole; returned is the mean loss. */
    double gradient(Runnable pause) {
        return hidden.gradient(minibatch, pause);
    }

    @Override
    public void close() {
        hidden.close();
    }
}
