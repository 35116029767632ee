package dev.equipoise.agent.network.step;

import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Data between two steps: values in the forward pass, the derivative of the loss in the backward
 * pass.
 *
 * @param gradient null if it is not needed, as for the samples
 */
public record Activation(Shape shape, int batch, Tensor value, @Nullable Tensor gradient) {

    public static Activation allocate(Arena arena, int batch, Shape shape) {
        return new Activation(
                shape, batch, tensor(arena, batch, shape), tensor(arena, batch, shape));
    }

    /** Allocates samples, which have no gradient. */
    public static Activation samples(Arena arena, int batch, Shape shape) {
        return new Activation(shape, batch, tensor(arena, batch, shape), null);
    }

    /** Views the same memory as another shape of the same size. */
    public Activation as(Shape other) {
        return new Activation(other, batch, value, gradient);
    }

    /**
     * Returns the gradient.
     *
     * @throws IllegalStateException when this holds samples
     */
    public Tensor wantedGradient() {
        if (gradient == null) {
            throw new IllegalStateException("samples have no gradient");
        }
        return gradient;
    }

    /**
     * Returns the number of vectors in the batch: one for each sample, or for each position of each
     * sample.
     */
    public int rows() {
        return shape instanceof Shape.Sequence(int length, int _) ? length * batch : batch;
    }

    /** Returns the number of values in each of the {@link #rows}. */
    public int columns() {
        return value.length() / rows();
    }

    private static Tensor tensor(Arena arena, int batch, Shape shape) {
        return switch (shape) {
            case Shape.Image(int height, int width, int channels) ->
                    Tensor.zeros(arena, batch, height, width, channels);
            case Shape.Vector(int length) -> Tensor.zeros(arena, batch, length);
            case Shape.Sequence(int length, int features) ->
                    Tensor.zeros(arena, length, batch, features);
            case Shape.Tokens _ ->
                    throw new IllegalArgumentException("words are not stored as floats: " + shape);
        };
    }
}
