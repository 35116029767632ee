package dev.equipoise.agent.network.nd4j;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * Native floats by index. An int index is faster than a long: the JIT removes the bounds checks.
 */
record Floats(MemorySegment memory) {

    static Floats of(Tensor tensor) {
        return new Floats(tensor.memory());
    }

    float get(int index) {
        return memory.getAtIndex(JAVA_FLOAT, index);
    }

    void set(int index, float value) {
        memory.setAtIndex(JAVA_FLOAT, index, value);
    }

    void add(int index, float value) {
        set(index, get(index) + value);
    }

    void clear() {
        memory.fill((byte) 0);
    }
}
