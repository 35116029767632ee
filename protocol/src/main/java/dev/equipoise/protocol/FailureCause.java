package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Cause of a failure: who must act. */
public enum FailureCause {
    /** The definition is wrong; a retry would fail again. */
    @JsonProperty("user")
    USER,
    /** A worker or its environment failed; a retry elsewhere or later may succeed. */
    @JsonProperty("worker")
    WORKER,
    /** A resource such as memory or disk space is short; a later retry may succeed. */
    @JsonProperty("capacity")
    CAPACITY
}
