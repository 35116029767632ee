package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a run is looked at by.
 *
 * @param evaluateEvery how many epochs pass between two looks at the test set; the last epoch ends
 *     with one in any case
 * @param replicas when each replica is looked at by itself, besides their mean
 * @param trace whether every phase of every round is told, for a picture of where time goes
 * @param record whether all that chance decides is told, so that the run can be repeated
 */
public record Observation(int evaluateEvery, Replicas replicas, boolean trace, boolean record) {

    public Observation {
        Rules.atLeast("evaluateEvery", evaluateEvery, 1);
        Rules.present("replicas", replicas);
    }

    /** Of their mean alone. */
    public static Observation every(int epochs) {
        return new Observation(epochs, Replicas.NEVER, false, false);
    }

    /** When each replica is looked at by itself; it matters where replicas differ. */
    public enum Replicas {
        @JsonProperty("never")
        NEVER,
        /** After the last epoch. */
        @JsonProperty("last")
        LAST,
        /** Whenever the test set is looked at. */
        @JsonProperty("always")
        ALWAYS
    }
}
