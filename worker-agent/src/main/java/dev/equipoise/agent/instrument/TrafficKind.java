package dev.equipoise.agent.instrument;

/** Purpose of sent bytes. */
public enum TrafficKind {
    /** Gradients and updates. */
    GRADIENT,
    WEIGHTS,
    /** Coordination traffic of ranks. */
    CONTROL
}
