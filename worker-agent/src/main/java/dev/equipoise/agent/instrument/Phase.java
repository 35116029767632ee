package dev.equipoise.agent.instrument;

/** Phase of a training round. */
public enum Phase {
    /** Reading the mini-batch, forward and backward pass, and their slowdown. */
    COMPUTE,
    /** Encoding vectors, and decoding received frames. */
    ENCODE,
    /** Exchanging, once all participants are ready. */
    TRANSFER,
    /** Idling until the last participant is ready. */
    WAIT,
    /** Applying optimizer steps and mixing weights. */
    APPLY
}
