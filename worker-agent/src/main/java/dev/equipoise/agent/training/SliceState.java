package dev.equipoise.agent.training;

import dev.equipoise.agent.network.HiddenSlice;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.synchronization.HybridSums;
import dev.equipoise.agent.synchronization.RankContext;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Optimizer state of a rank that steps some of the hidden units. The rank state has that of the
 * whole network, equal on all ranks, so that a run can continue in other groups.
 */
final class SliceState {

    private final HiddenSlice hidden;
    private final HybridSums sums;
    private final List<MemorySegment> own;
    private final List<MemorySegment> whole;

    /** Registers the optimizer state of the whole network. */
    SliceState(RankContext context, HiddenSlice hidden, Stepper stepper, HybridSums sums) {
        this.hidden = hidden;
        this.sums = sums;
        this.own = stepper.memories();
        long bytes = context.weights().byteSize();
        this.whole = own.stream().map(_ -> context.memory().allocate(bytes, Float.BYTES)).toList();
        whole.forEach(context.registry()::vector);
        context.registry().number(() -> stepper.state().steps(), stepper::resume);
    }

    /** Assembles the state from the parts of the group; every rank calls it after each epoch. */
    void assemble() {
        for (int i = 0; i < own.size(); i++) {
            MemorySegment vector = whole.get(i);
            vector.fill((byte) 0);
            hidden.put(own.get(i), vector);
            sums.assemble(vector);
        }
    }

    /** Copies the part of this rank from the restored state. */
    void restore() {
        for (int i = 0; i < own.size(); i++) {
            hidden.cut(whole.get(i), own.get(i));
        }
    }
}
