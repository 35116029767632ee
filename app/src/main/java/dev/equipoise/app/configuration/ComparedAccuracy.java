package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** The accuracy by which comparisons judge a run. */
public enum ComparedAccuracy {
    /** Accuracy of the mean of all replicas. */
    @JsonProperty("mean")
    MEAN,
    /** Mean of the accuracies of the single replicas. */
    @JsonProperty("replicas")
    REPLICAS;

    /**
     * Leaves the default out of JSON, so that configurations without the field keep their workload
     * keys: Jackson omits values that equal this filter.
     */
    static final class MeanFilter {

        @Override
        public boolean equals(@Nullable Object value) {
            return value == MEAN;
        }

        @Override
        public int hashCode() {
            return MEAN.hashCode();
        }
    }
}
