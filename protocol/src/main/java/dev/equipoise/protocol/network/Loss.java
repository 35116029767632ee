package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a prediction that is not its label costs, and how costs add up over a mini-batch. */
public record Loss(Kind kind, Reduction reduction) {

    public enum Kind {
        /** {@code -log softmax(scores)[label]}. */
        @JsonProperty("softmax-cross-entropy")
        SOFTMAX_CROSS_ENTROPY,
        /** Half the squared distance between the scores and the target code of the label. */
        @JsonProperty("squared-error")
        SQUARED_ERROR
    }

    public enum Reduction {
        /** Over the predictions of the mini-batch, on all ranks together. */
        @JsonProperty("mean")
        MEAN,
        /** A learning rate then means the more the larger the mini-batch is. */
        @JsonProperty("sum")
        SUM
    }
}
