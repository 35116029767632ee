package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.MemorySegment;

/*
 * Clipping by norm is that of Pascanu, Mikolov and Bengio 2013, On the difficulty of training
 * recurrent neural networks, algorithm 1, with PyTorch's guard against a division by zero. Of a
 * gradient with an infinite element it makes, as PyTorch does, one that is not a number.
 */
/** What a step does to a copy of its gradient, which itself may be somebody else's memory. */
record Clip(float scale, float limit) {

    private static final double NEVER_ZERO = 1e-6;

    /** Reads the gradient once if its norm matters. */
    static Clip of(Clipping clipping, MemorySegment gradient) {
        return switch (clipping) {
            case Clipping.None() -> new Clip(1, Float.POSITIVE_INFINITY);
            case Clipping.Value(double limit) -> new Clip(1, (float) limit);
            case Clipping.Norm(double limit) -> {
                double scale = Math.min(1, limit / (norm(gradient) + NEVER_ZERO));
                yield new Clip((float) scale, Float.POSITIVE_INFINITY);
            }
        };
    }

    /** A NaN stays one. */
    void apply(float[] gradient, int length) {
        if (scale != 1) {
            for (int i = 0; i < length; i++) {
                gradient[i] *= scale;
            }
        }
        if (limit != Float.POSITIVE_INFINITY) {
            for (int i = 0; i < length; i++) {
                gradient[i] = Math.max(-limit, Math.min(limit, gradient[i]));
            }
        }
    }

    /**
     * The Euclidean norm. Four sums go side by side, as one would wait for itself; their order
     * never changes, so that equal gradients have equal norms on all replicas.
     */
    static double norm(MemorySegment vector) {
        int count = Math.toIntExact(vector.byteSize() / JAVA_FLOAT.byteSize());
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = 0;
        for (; i < count - 3; i += 4) {
            first += square(vector, i);
            second += square(vector, i + 1);
            third += square(vector, i + 2);
            fourth += square(vector, i + 3);
        }
        for (; i < count; i++) {
            first += square(vector, i);
        }
        return Math.sqrt(first + second + third + fourth);
    }

    private static double square(MemorySegment vector, int index) {
        double element = vector.getAtIndex(JAVA_FLOAT, index);
        return element * element;
    }
}
