package dev.equipoise.agent.instrument;

/** What the time of a training round is spent on. */
public enum Phase {
    /** Reading the mini-batch, forward and backward, and the slow-down of all that. */
    COMPUTE,
    /** Coding vectors and decoding what has come. */
    ENCODE,
    /** Exchanging after all that take part were ready. */
    TRANSFER,
    /** Idle until the last of them is ready. */
    WAIT,
    /** Stepping and mixing weights. */
    APPLY
}
