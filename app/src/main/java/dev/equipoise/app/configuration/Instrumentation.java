package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.equipoise.protocol.Observation;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The instrumentation of a run: what it measures and stores besides training.
 *
 * @param evaluation evaluations on the test set
 * @param trace whether every phase of every round is stored
 * @param record whether all nondeterministic choices are stored, for a replay
 * @param keepModel which trained model is kept; JSON omits the last, as configurations stored
 *     before this field do
 */
public record Instrumentation(
        Evaluation evaluation,
        boolean trace,
        boolean record,
        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = KeepModel.LastFilter.class)
                KeepModel keepModel) {

    public Instrumentation {
        keepModel = Objects.requireNonNullElse(keepModel, KeepModel.LAST);
    }

    /** Creates instrumentation that keeps the last model. */
    public Instrumentation(Evaluation evaluation, boolean trace, boolean record) {
        this(evaluation, trace, record, KeepModel.LAST);
    }

    /**
     * The schedule of evaluations on the test set.
     *
     * @param every epochs between two evaluations; the last epoch always ends with one
     * @param replicas when each replica is evaluated by itself, besides their mean
     * @param compared the accuracy by which comparisons judge the run; JSON omits that of the mean,
     *     as configurations stored before this field do
     * @param target target by which plans are ranked; it stops no run
     */
    @Schema(name = "RunConfiguration.Evaluation")
    public record Evaluation(
            int every,
            Observation.Replicas replicas,
            @JsonInclude(
                            value = JsonInclude.Include.CUSTOM,
                            valueFilter = ComparedAccuracy.MeanFilter.class)
                    ComparedAccuracy compared,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Target target) {

        public Evaluation {
            compared = Objects.requireNonNullElse(compared, ComparedAccuracy.MEAN);
        }

        public Evaluation(int every, Observation.Replicas replicas) {
            this(every, replicas, ComparedAccuracy.MEAN, null);
        }
    }

    /**
     * A target for the test accuracy.
     *
     * @param accuracy test accuracy to reach, from 0 to 1
     */
    @Schema(name = "RunConfiguration.Target")
    public record Target(double accuracy) {}
}
