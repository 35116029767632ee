package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Tells whether a run may be preempted: stopped after an epoch to free its workers for another. */
public enum Preemption {
    /** The run keeps its workers to its end. */
    @JsonProperty("never")
    NEVER,
    /** The run gives up its workers and continues later from its checkpoint. */
    @JsonProperty("allowed")
    ALLOWED
}
