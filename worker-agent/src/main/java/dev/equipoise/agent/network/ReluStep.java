package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/*
 * max(x, 0) in place, on the bits of the floats and without a branch: relu_bp takes four times as
 * long. The sign of a float is that of its bits, and once forward has run, a value is either
 * positive or +0, whose bits are 0.
 */
record ReluStep(MemorySegment values, MemorySegment gradients, int length) implements Step {

    static Step of(Activation activation) {
        Tensor value = activation.value();
        return new ReluStep(value.memory(), activation.gradient().memory(), value.length());
    }

    @Override
    public void forward() {
        for (int i = 0; i < length; i++) {
            int bits = values.getAtIndex(JAVA_INT, i);
            values.setAtIndex(JAVA_INT, i, bits & ~(bits >> 31));
        }
    }

    @Override
    public void backward() {
        for (int i = 0; i < length; i++) {
            int allOnesIfPositive = -values.getAtIndex(JAVA_INT, i) >> 31;
            gradients.setAtIndex(
                    JAVA_INT, i, gradients.getAtIndex(JAVA_INT, i) & allOnesIfPositive);
        }
    }
}
