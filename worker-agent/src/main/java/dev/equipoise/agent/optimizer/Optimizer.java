package dev.equipoise.agent.optimizer;

import java.lang.foreign.MemorySegment;

/** Steps a flat vector of parameters, in place, against a flat gradient; both native float32. */
public sealed interface Optimizer permits Sgd {

    /**
     * Overwrites the parameters and leaves the gradient as it is.
     *
     * @throws IllegalArgumentException if the vectors differ in length
     */
    void step(MemorySegment parameters, MemorySegment gradient);
}
