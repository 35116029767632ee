package dev.equipoise.performance.statistics;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Meaning of the interval of an estimate. */
public enum IntervalKind {
    /** One value has no interval. */
    @JsonProperty("none")
    NONE,
    /** From the least to the greatest of two or three values. */
    @JsonProperty("range")
    RANGE,
    /** 95 % Student confidence interval of the mean of four values or more. */
    @JsonProperty("confidence")
    CONFIDENCE
}
