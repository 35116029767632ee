package dev.equipoise.agent.network.step;

import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * What flows between two steps: values forward, the loss's derivative by them backward.
 *
 * @param gradient null where nobody asks for it, as by the samples themselves
 */
public record Activation(Shape shape, int batch, Tensor value, @Nullable Tensor gradient) {

    public static Activation allocate(Arena arena, int batch, Shape shape) {
        return new Activation(
                shape, batch, tensor(arena, batch, shape), tensor(arena, batch, shape));
    }

    /** Samples, whose gradient nobody asks for. */
    public static Activation samples(Arena arena, int batch, Shape shape) {
        return new Activation(shape, batch, tensor(arena, batch, shape), null);
    }

    /** The same memory, seen as another shape of the same size. */
    public Activation as(Shape other) {
        return new Activation(other, batch, value, gradient);
    }

    /** The gradient of what is not samples. */
    public Tensor wantedGradient() {
        if (gradient == null) {
            throw new IllegalStateException("nobody asks for the gradient by the samples");
        }
        return gradient;
    }

    /** Vectors in the batch: one a sample, or one a sample and position. */
    public int rows() {
        return shape instanceof Shape.Sequence(int length, int _) ? length * batch : batch;
    }

    /** Values of each of the {@link #rows}. */
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
                    throw new IllegalArgumentException("words are no floats, but " + shape);
        };
    }
}
