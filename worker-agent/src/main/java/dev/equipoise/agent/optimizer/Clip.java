package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.Clipping;
import java.lang.foreign.MemorySegment;

/*
 * Clipping by norm follows Pascanu, Mikolov and Bengio 2013, On the difficulty of training
 * recurrent neural networks, algorithm 1, with PyTorch's guard against a division by zero. Like
 * PyTorch, it turns a gradient with an infinite element into one with a NaN.
 */
/** Gradient clipping; a step clips a copy, since the gradient may be in shared memory. */
record Clip(float scale, float limit) {

    private static final double EPSILON = 1e-6;

    /**
     * Prepares a clipping, which reads the gradient once if its norm matters.
     *
     * @param gradientScale factor by which the vector holds the gradient, to which the limit refers
     */
    static Clip of(Clipping clipping, double gradientScale, MemorySegment gradient, Norm norm) {
        return switch (clipping) {
            case Clipping.None() -> new Clip(1, Float.POSITIVE_INFINITY);
            case Clipping.Value(double limit) -> new Clip(1, (float) (limit * gradientScale));
            case Clipping.Norm(double limit) -> {
                double scale = Math.min(1, limit * gradientScale / (norm.of(gradient) + EPSILON));
                yield new Clip((float) scale, Float.POSITIVE_INFINITY);
            }
        };
    }

    /** Clips a gradient in place; a NaN stays NaN. */
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
