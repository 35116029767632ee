package dev.equipoise.agent.time;

/** What the time of a training round is spent on. */
public enum Phase {
    /** Reading the mini-batch, forward and backward, the update, and the slow-down of all that. */
    COMPUTE,
    /** Idle until the last rank is ready to exchange. */
    WAIT,
    /** Exchanging after all ranks were ready. */
    TRANSFER
}
