package dev.equipoise.app.experiment;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a run may be stopped after an epoch, to go on later, where another needs its workers. */
public enum Preemption {
    /** It keeps its workers to its end. */
    @JsonProperty("never")
    NEVER,
    /** It makes room, and goes on from its checkpoint. */
    @JsonProperty("allowed")
    ALLOWED
}
