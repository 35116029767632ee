package dev.equipoise.agent.optimizer;

import java.lang.foreign.MemorySegment;

/**
 * A plain step over whole vectors of native float32, where there is a faster way than a loop. Every
 * product is rounded before it is subtracted, as in Java: replicas on unlike machines stay equal to
 * the bit.
 */
@FunctionalInterface
public interface Descent {

    /** parameters <- parameters - rate gradient; the two are equally long. */
    void descend(MemorySegment parameters, MemorySegment gradient, float rate);
}
