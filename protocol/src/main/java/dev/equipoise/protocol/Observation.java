package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Settings of what a run reports besides its losses: evaluations, a trace, and its execution order.
 *
 * @param evaluateEvery number of epochs between two evaluations; the last epoch always ends with
 *     one
 * @param replicas when each replica is evaluated alone, besides their mean
 * @param trace whether every phase of every round is reported for the trace
 * @param record whether the execution order is recorded for a replay
 */
public record Observation(int evaluateEvery, Replicas replicas, boolean trace, boolean record) {

    public Observation {
        Rules.atLeast("evaluateEvery", evaluateEvery, 1);
        Rules.present("replicas", replicas);
    }

    /** Evaluates the mean of the replicas only. */
    public static Observation every(int epochs) {
        return new Observation(epochs, Replicas.NEVER, false, false);
    }

    /** When each replica is evaluated alone; relevant if replicas differ. */
    public enum Replicas {
        @JsonProperty("never")
        NEVER,
        /** After the last epoch. */
        @JsonProperty("last")
        LAST,
        /** With each evaluation. */
        @JsonProperty("always")
        ALWAYS
    }
}
