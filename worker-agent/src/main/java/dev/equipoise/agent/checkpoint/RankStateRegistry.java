package dev.equipoise.agent.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Registry of the rank state: a copy of everything registered is enough to continue after an epoch,
 * on any worker. Components register their state when they are made, so that its order follows from
 * the plan. Only the rank's thread uses it.
 */
public final class RankStateRegistry {

    private final List<MemorySegment> vectors = new ArrayList<>();
    private final List<MemorySegment> residuals = new ArrayList<>();
    private final List<Counter> numbers = new ArrayList<>();

    private record Counter(LongSupplier value, LongConsumer restore) {}

    /**
     * Registers a float32 vector, such as weights or momentum, which a joining rank copies from
     * another.
     */
    public void vector(MemorySegment vector) {
        vectors.add(vector);
    }

    /** Registers a float32 residual of error feedback, which is zero on a joining rank. */
    public void residual(MemorySegment vector) {
        residuals.add(vector);
    }

    /**
     * Registers a counter or a random state.
     *
     * @param restore sets the value
     */
    public void number(LongSupplier value, LongConsumer restore) {
        numbers.add(new Counter(value, restore));
    }

    public List<MemorySegment> vectors() {
        return List.copyOf(vectors);
    }

    public List<MemorySegment> residuals() {
        return List.copyOf(residuals);
    }

    /** Returns the number of counters. */
    public int count() {
        return numbers.size();
    }

    /** Writes the current counters to a buffer; allocates nothing. */
    public void count(long[] buffer) {
        for (int i = 0; i < numbers.size(); i++) {
            buffer[i] = numbers.get(i).value().getAsLong();
        }
    }

    /** Restores all counters. */
    public void restore(long[] values) {
        if (values.length != numbers.size()) {
            throw new IllegalArgumentException(
                    "%d counters are registered, but %d values were given"
                            .formatted(numbers.size(), values.length));
        }
        for (int i = 0; i < values.length; i++) {
            numbers.get(i).restore().accept(values[i]);
        }
    }
}
