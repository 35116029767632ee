package dev.equipoise.app.monitor;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Quantity on the horizontal axis of a curve, counted from the beginning of the run. */
enum Axis {
    /** Rounds. */
    @JsonProperty("step")
    STEP,
    /** Epochs, with fractions. */
    @JsonProperty("epoch")
    EPOCH,
    /**
     * Training time on the clock of the rank, or of the slowest rank for curves of the whole run.
     */
    @JsonProperty("seconds")
    SECONDS,
    /**
     * Time since the start of the run on the clock of the service, known for the epochs that every
     * rank has reported; evaluations, checkpoints and restarts included.
     */
    @JsonProperty("wall-clock")
    WALL_CLOCK,
    /** Samples that all ranks trained on, known for the epochs that every rank has reported. */
    @JsonProperty("samples")
    SAMPLES,
    /** Bytes that all ranks sent, known for the epochs that every rank has reported. */
    @JsonProperty("bytes")
    BYTES
}
