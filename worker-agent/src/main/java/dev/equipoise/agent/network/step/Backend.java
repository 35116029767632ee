package dev.equipoise.agent.network.step;

import dev.equipoise.agent.optimizer.Descent;
import java.util.Map;
import java.util.Optional;

/** Numeric library that executes the layers of a network. */
public interface Backend {

    /** Returns the numeric library. */
    BackendKind kind();

    /** Returns a description for people, such as {@code oneDNN 3.11.0}. */
    String description();

    /**
     * Returns the instruction set of the processor on which its results depend, as {@code
     * ONEDNN_MAX_CPU_ISA} names it; empty if unknown.
     */
    default Optional<String> instructionSet() {
        return Optional.empty();
    }

    /** Returns the device; the memory of a program is always the host's. */
    Device device();

    /** Returns the labels of a worker that computes with it, by which selectors select workers. */
    default Map<String, String> labels() {
        return Map.of("backend", kind().label(), "device", device().label());
    }

    /** Creates a compiler for the steps of one program. */
    Compiler compiler();

    /** Returns an SGD step that is faster than a loop, if there is one; for one thread. */
    Optional<Descent> descent();
}
