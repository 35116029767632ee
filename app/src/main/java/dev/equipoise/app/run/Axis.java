package dev.equipoise.app.run;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a curve is drawn over; each begins with the run. */
enum Axis {
    /** Rounds. */
    @JsonProperty("step")
    STEP,
    /** Epochs, and parts of one. */
    @JsonProperty("epoch")
    EPOCH,
    /** Of training, on the rank's own clock; of the whole run, on that of its slowest rank. */
    @JsonProperty("seconds")
    SECONDS,
    /** That all ranks have learnt, known of epochs that all have told. */
    @JsonProperty("samples")
    SAMPLES,
    /** That all ranks have sent, known of epochs that all have told. */
    @JsonProperty("bytes")
    BYTES
}
