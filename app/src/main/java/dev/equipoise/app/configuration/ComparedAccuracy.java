package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The accuracy by which comparisons judge a run. */
public enum ComparedAccuracy {
    /** That of the mean of all replicas. */
    @JsonProperty("mean")
    MEAN,
    /** The mean of the accuracies of the single replicas. */
    @JsonProperty("replicas")
    REPLICAS
}
