package dev.equipoise.agent.optimizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/** w <- w - learningRate g: stochastic gradient descent without momentum. */
public record Sgd(float learningRate) implements Optimizer {

    public Sgd {
        if (!(learningRate > 0) || learningRate == Float.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(
                    "learning rate must be positive and finite, but was " + learningRate);
        }
    }

    @Override
    public void step(MemorySegment parameters, MemorySegment gradient) {
        if (parameters.byteSize() != gradient.byteSize()) {
            throw new IllegalArgumentException(
                    "gradient must be as long as the parameters, but was %d bytes against %d"
                            .formatted(gradient.byteSize(), parameters.byteSize()));
        }
        // An int counts faster than a long here: the JIT then drops the checks of bounds.
        int count = Math.toIntExact(parameters.byteSize() / JAVA_FLOAT.byteSize());
        for (int i = 0; i < count; i++) {
            float stepped =
                    parameters.getAtIndex(JAVA_FLOAT, i)
                            - learningRate * gradient.getAtIndex(JAVA_FLOAT, i);
            parameters.setAtIndex(JAVA_FLOAT, i, stepped);
        }
    }
}
