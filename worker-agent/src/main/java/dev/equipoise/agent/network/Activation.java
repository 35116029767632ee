package dev.equipoise.agent.network;

import java.lang.foreign.Arena;

/** What flows between two steps: values forward, the loss's derivative by them backward. */
record Activation(Tensor value, Tensor gradient) {

    static Activation allocate(Arena arena, int batch, Shape shape) {
        return new Activation(tensor(arena, batch, shape), tensor(arena, batch, shape));
    }

    int batch() {
        return Math.toIntExact(value.array().size(0));
    }

    /** The same memory as a matrix. */
    Activation matrix(int rows, int columns) {
        return new Activation(value.reshape(rows, columns), gradient.reshape(rows, columns));
    }

    private static Tensor tensor(Arena arena, int batch, Shape shape) {
        return Tensor.zeros(arena, batch, shape.height(), shape.width(), shape.channels());
    }
}
