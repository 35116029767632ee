package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Sums of a queue, one after the other in the background, each in the memory of its contribution.
 * The rank's own thread acquires and releases that memory; between the two it belongs to the
 * background thread.
 */
final class QueuedSums {

    private final VectorAggregator aggregator;
    private final boolean isOfOthers;

    /** Instruments of the background thread; the rank's own thread uses them while it is idle. */
    private final Instruments background;

    private final Supplier<MemorySegment> memory;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final Deque<MemorySegment> free = new ArrayDeque<>();

    /**
     * @param isOfOthers whether a result lacks the contribution of this rank
     * @param background instruments of the background, like those of {@code aggregator}
     * @param memory allocates a vector as long as the gradient
     */
    QueuedSums(
            VectorAggregator aggregator,
            boolean isOfOthers,
            Instruments background,
            Supplier<MemorySegment> memory) {
        this.aggregator = aggregator;
        this.isOfOthers = isOfOthers;
        this.background = background;
        this.memory = memory;
    }

    /** Returns memory for a contribution: released memory, or new memory if there is none. */
    MemorySegment acquire() {
        MemorySegment unused = free.poll();
        return unused == null ? memory.get() : unused;
    }

    /** Takes back the memory of a result. */
    void release(MemorySegment part) {
        free.add(part);
    }

    /**
     * Replaces a contribution by the sum over all ranks, or over the others; called by the
     * background thread.
     *
     * @param weight factor by which the contribution holds the rank's gradient
     */
    void sum(MemorySegment part, double weight) {
        background.resume();
        MemorySegment combined = aggregator.of(part, 1, weight);
        if (isOfOthers) {
            scale.scale(part, -1, part);
            sum.add(part, 0, combined, 0, combined.byteSize());
        } else {
            part.copyFrom(combined);
        }
    }

    /** Adds the times and traffic of the background thread, which is idle, to those of the rank. */
    void addTo(Instruments rank) {
        rank.add(background);
        background.begin();
    }
}
