package dev.equipoise.agent.optimizer;

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
    static Clip of(Clipping clipping, MemorySegment gradient, Norm norm) {
        return switch (clipping) {
            case Clipping.None() -> new Clip(1, Float.POSITIVE_INFINITY);
            case Clipping.Value(double limit) -> new Clip(1, (float) limit);
            case Clipping.Norm(double limit) -> {
                double scale = Math.min(1, limit / (norm.of(gradient) + NEVER_ZERO));
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
}
