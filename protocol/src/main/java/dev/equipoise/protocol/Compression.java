package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * Codec of transferred vectors (docs/algorithms.md, section 6). With error feedback, elements
 * omitted by one frame are added to the next vector (Karimireddy et al. 2019); without, they are
 * lost.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Compression.None.class, name = "none"),
    @JsonSubTypes.Type(value = Compression.Threshold.class, name = "threshold"),
    @JsonSubTypes.Type(value = Compression.AdaptiveThreshold.class, name = "adaptive-threshold"),
    @JsonSubTypes.Type(value = Compression.TopK.class, name = "top-k"),
    @JsonSubTypes.Type(value = Compression.RandomK.class, name = "random-k"),
    @JsonSubTypes.Type(value = Compression.Qsgd.class, name = "qsgd"),
    @JsonSubTypes.Type(value = Compression.Sign.class, name = "sign"),
    @JsonSubTypes.Type(value = Compression.PowerSgd.class, name = "power-sgd"),
    @JsonSubTypes.Type(value = Compression.SampledRows.class, name = "sampled-rows")
})
public sealed interface Compression {

    /** Returns whether error feedback is on. */
    boolean errorFeedback();

    /** Returns whether the codec needs the measured costs of the links between the ranks. */
    @JsonIgnore
    default boolean followsLinks() {
        return this instanceof SampledRows rows && rows.followLinks();
    }

    /**
     * Returns whether the codec is linear: frames of several ranks can be summed before decoding.
     */
    @JsonIgnore
    default boolean isLinear() {
        return this instanceof None
                || this instanceof RandomK
                || this instanceof PowerSgd
                || this instanceof SampledRows;
    }

    /** No compression: float32. */
    record None() implements Compression {

        @Override
        @JsonIgnore
        public boolean errorFeedback() {
            return false;
        }
    }

    /**
     * Threshold sparsification: the elements above a threshold in magnitude (Strom 2015;
     * Tolstobrov).
     *
     * @param threshold magnitude above which an element is sent
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record Threshold(double threshold, boolean errorFeedback) implements Compression {

        public Threshold {
            Rules.atLeast("threshold", threshold, 0.0);
        }
    }

    /**
     * Adaptive threshold: about this fraction of the elements, those of the largest magnitude.
     *
     * @param fraction fraction of the elements that is sent
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record AdaptiveThreshold(double fraction, boolean errorFeedback) implements Compression {

        public AdaptiveThreshold {
            checkFraction(fraction);
        }
    }

    /**
     * Top-k: exactly this fraction of the elements, those of the largest magnitude.
     *
     * @param fraction fraction of the elements that is sent
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record TopK(double fraction, boolean errorFeedback) implements Compression {

        public TopK {
            checkFraction(fraction);
        }
    }

    /**
     * Random-k: a fraction of the elements, drawn alike on all ranks; scaled up without error
     * feedback.
     *
     * @param fraction fraction of the elements that is sent
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record RandomK(double fraction, boolean errorFeedback) implements Compression {

        public RandomK {
            checkFraction(fraction);
        }
    }

    /**
     * QSGD: rounds every element at random to one of a few levels (Alistarh et al. 2017).
     *
     * @param bits bits of an element
     * @param bucket number of elements that share a norm
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record Qsgd(int bits, int bucket, boolean errorFeedback) implements Compression {

        private static final int MAX_BITS = 8;
        private static final int MAX_BUCKET = 1024;

        public Qsgd {
            Rules.between("bits", bits, 2, MAX_BITS);
            Rules.between("bucket", bucket, 1, MAX_BUCKET);
        }

        /** Returns the number of levels between zero and the norm. */
        @JsonIgnore
        public int levels() {
            return (1 << (bits - 1)) - 1;
        }
    }

    /**
     * Sign compression: the signs and the mean magnitude of each layer (Karimireddy et al. 2019).
     *
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record Sign(boolean errorFeedback) implements Compression {}

    /**
     * PowerSGD: approximates each layer's matrix by a product of two factors (Vogels et al. 2019).
     *
     * @param rank rank of the approximation: columns of each factor
     */
    record PowerSgd(int rank) implements Compression {

        private static final int MAX_RANK = 256;

        public PowerSgd {
            Rules.between("rank", rank, 1, MAX_RANK);
        }

        @Override
        @JsonIgnore
        public boolean errorFeedback() {
            return true;
        }
    }

    /**
     * Sampled rows of a language model: of its input layer the words of a round, of its output
     * layer these and some others, of the layers between some rows (Xiao et al. 2017; Li et al.
     * 2018).
     *
     * @param frequent fraction of the vocabulary, its most frequent words, which are always sent
     * @param others fraction of the other words, drawn anew each round
     * @param hidden fraction of the rows of hidden layers, drawn anew each round
     * @param followLinks whether replicas behind slower links send smaller fractions {@code others}
     *     and {@code hidden}; their means over the replicas keep the given values
     * @param errorFeedback whether what is not sent is added to the next vector
     */
    record SampledRows(
            double frequent,
            double others,
            double hidden,
            boolean followLinks,
            boolean errorFeedback)
            implements Compression {

        public SampledRows {
            Rules.between("frequent", frequent, 0, 1);
            Rules.between("others", others, 0, 1);
            checkFraction(hidden);
        }
    }

    private static void checkFraction(double fraction) {
        Rules.between("fraction", fraction, Double.MIN_NORMAL, 1);
    }
}
