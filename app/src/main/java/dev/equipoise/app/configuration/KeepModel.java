package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The trained model that the service keeps of a run. */
public enum KeepModel {
    /** The model after the last epoch. */
    @JsonProperty("last")
    LAST,
    /** The model of the best evaluation. */
    @JsonProperty("best")
    BEST,
    @JsonProperty("none")
    NONE
}
