package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who must act when something failed. */
public enum FailureCause {
    /** The definition is wrong; trying again would fail again. */
    @JsonProperty("user")
    USER,
    /** A worker or its surroundings failed; elsewhere or later it may go well. */
    @JsonProperty("worker")
    WORKER,
    /** There is not enough of something, such as memory or room on a disk; later there may be. */
    @JsonProperty("capacity")
    CAPACITY
}
