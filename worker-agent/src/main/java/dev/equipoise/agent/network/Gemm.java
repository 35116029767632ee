package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Speed probe: repeats the product of two square float32 matrices on the same memory. */
public final class Gemm implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment product;
    private final Compiler compiler;
    private final Runnable multiply;

    public Gemm(int n, Backend backend) {
        if (n < 1) {
            throw new IllegalArgumentException(
                    "the side of a matrix must be at least 1, but was " + n);
        }
        Tensor left = Tensor.zeros(arena, n, n).fill(1);
        Tensor right = Tensor.zeros(arena, n, n).fill(1);
        Tensor out = Tensor.zeros(arena, n, n);
        this.product = out.memory();
        this.compiler = backend.compiler();
        this.multiply = compiler.multiply(left, right, out);
    }

    public void run() {
        multiply.run();
    }

    /** Returns one element of the product; each is n. */
    float result() {
        return product.getAtIndex(JAVA_FLOAT, product.byteSize() / JAVA_FLOAT.byteSize() - 1);
    }

    @Override
    public void close() {
        compiler.close();
        arena.close();
    }
}
