package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Instruction of a run which trained model its ranks store at the service.
 *
 * @param kept which evaluation it is of
 * @param of whose weights it has
 * @param by how evaluations are compared
 * @param best score of the model that earlier generations have stored; null without one
 */
public record ModelKeeping(
        Kept kept,
        WeightSource of,
        Criterion by,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ModelScore best) {

    /** Evaluation of whose weights the model is. */
    public enum Kept {
        /** Evaluation after the last epoch. */
        @JsonProperty("last")
        LAST,
        /** Best evaluation of the run. */
        @JsonProperty("best")
        BEST
    }

    /** Weights that the model has. */
    public enum WeightSource {
        /** Mean of all replicas, as evaluations use it; the first replica stores it. */
        @JsonProperty("mean")
        MEAN,
        /**
         * Replica with the best score of its own: each stores its model, and the service keeps the
         * better one.
         */
        @JsonProperty("best-replica")
        BEST_REPLICA
    }

    /** Comparison of evaluations. */
    public enum Criterion {
        /** By the test accuracy, and then by the test loss. */
        @JsonProperty("accuracy")
        ACCURACY,
        /** By the test loss, whose exponential is the perplexity of a language model. */
        @JsonProperty("loss")
        LOSS
    }

    public ModelKeeping {
        Rules.present("kept", kept);
        Rules.present("of", of);
        Rules.present("by", by);
    }
}
