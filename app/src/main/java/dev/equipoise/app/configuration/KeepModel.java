package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** The trained model that the service keeps of a run. */
public enum KeepModel {
    /** The model after the last epoch. */
    @JsonProperty("last")
    LAST,
    /** The model of the best evaluation. */
    @JsonProperty("best")
    BEST,
    @JsonProperty("none")
    NONE;

    /** Leaves the default out of JSON, as configurations stored before this field do. */
    static final class LastFilter {

        @Override
        public boolean equals(@Nullable Object value) {
            return value == LAST;
        }

        @Override
        public int hashCode() {
            return LAST.hashCode();
        }
    }
}
