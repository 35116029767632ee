package dev.equipoise.agent.instrument;

/** What bytes are sent for. */
public enum Kind {
    /** Gradients, and updates made of them. */
    GRADIENT,
    /** Weights. */
    WEIGHTS,
    /** Whatever keeps ranks in step. */
    CONTROL
}
