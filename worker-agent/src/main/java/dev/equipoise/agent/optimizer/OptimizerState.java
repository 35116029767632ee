package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Complete state of an optimizer: a copy of it and of the parameters is enough to continue, on any
 * worker.
 *
 * @param steps number of steps made
 * @param vectors native float32, each as long as the parameters, in the optimizer's order
 */
public record OptimizerState(long steps, List<MemorySegment> vectors) {

    public OptimizerState {
        if (steps < 0) {
            throw new IllegalArgumentException("steps must be at least 0, but was " + steps);
        }
        vectors = List.copyOf(vectors);
    }

    static OptimizerState zero(int vectors, int parameterCount, Arena arena) {
        return new OptimizerState(
                0,
                Stream.generate(() -> arena.allocate(JAVA_FLOAT, parameterCount))
                        .limit(vectors)
                        .toList());
    }

    /** Copies the state into vectors of its own, which later steps do not change. */
    public OptimizerState copy(Arena arena) {
        return new OptimizerState(
                steps,
                vectors.stream()
                        .map(it -> arena.allocate(it.byteSize(), Float.BYTES).copyFrom(it))
                        .toList());
    }

    /** Zeroes the vectors, and keeps the number of steps. */
    public OptimizerState forgetting() {
        vectors.forEach(vector -> vector.fill((byte) 0));
        return this;
    }

    /** Returns the state with another number of steps, and the same vectors. */
    public OptimizerState after(long made) {
        return new OptimizerState(made, vectors);
    }

    /** Returns the state after one more step, which has overwritten the vectors. */
    OptimizerState next() {
        return new OptimizerState(steps + 1, vectors);
    }

    /**
     * Checks that all vectors of a step have the same length.
     *
     * @return that length, in floats
     */
    int requireFits(int count, MemorySegment parameters, MemorySegment gradient) {
        if (vectors.size() != count) {
            throw new IllegalArgumentException(
                    "the state must hold %d vectors, but held %d".formatted(count, vectors.size()));
        }
        requireLength("gradient", gradient, parameters);
        for (int i = 0; i < count; i++) {
            requireLength("state", vectors.get(i), parameters);
        }
        return Math.toIntExact(parameters.byteSize() / JAVA_FLOAT.byteSize());
    }

    private static void requireLength(String name, MemorySegment vector, MemorySegment parameters) {
        if (vector.byteSize() != parameters.byteSize()) {
            throw new IllegalArgumentException(
                    "%s must be as long as the parameters, but was %d bytes against %d"
                            .formatted(name, vector.byteSize(), parameters.byteSize()));
        }
    }
}
