package dev.equipoise.protocol.network;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Loss of a prediction, and its reduction over a mini-batch (docs/algorithms.md, section 1.1).
 *
 * @param kind kind of the loss
 * @param reduction mean or sum over a mini-batch
 */
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
        /** Mean over the predictions of the global mini-batch. */
        @JsonProperty("mean")
        MEAN,
        /** Sum; the effect of a learning rate grows with the mini-batch. */
        @JsonProperty("sum")
        SUM
    }
}
