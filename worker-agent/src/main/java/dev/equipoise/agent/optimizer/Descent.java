package dev.equipoise.agent.optimizer;

import java.lang.foreign.MemorySegment;

/**
 * SGD step of a backend over whole vectors of native float32. Every product is rounded before it is
 * subtracted, as in Java, so that replicas on different hosts stay equal to the bit.
 */
@FunctionalInterface
public interface Descent {

    /** Computes parameters <- parameters - rate gradient; both vectors have the same length. */
    void descend(MemorySegment parameters, MemorySegment gradient, float rate);
}
