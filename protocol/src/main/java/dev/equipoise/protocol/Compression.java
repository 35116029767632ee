package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * How a vector is coded on its way. With error feedback, what a frame leaves out travels with the
 * next one (Karimireddy and others 2019); without, it is lost.
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

    /** Whether what a frame leaves out is kept for the next one. */
    boolean errorFeedback();

    /** Whether what the links between the ranks cost must be known. */
    @JsonIgnore
    default boolean followsLinks() {
        return this instanceof SampledRows rows && rows.followLinks();
    }

    /** Whether what several ranks send can be summed before it is decoded. */
    @JsonIgnore
    default boolean isLinear() {
        return this instanceof None
                || this instanceof RandomK
                || this instanceof PowerSgd
                || this instanceof SampledRows;
    }

    /** Plain float32. */
    record None() implements Compression {

        @Override
        @JsonIgnore
        public boolean errorFeedback() {
            return false;
        }
    }

    /** The elements above a threshold in magnitude (Tolstobrov). */
    record Threshold(double threshold, boolean errorFeedback) implements Compression {

        public Threshold {
            Rules.atLeast("threshold", threshold, 0.0);
        }
    }

    /** About this fraction of the elements, those of the largest magnitude. */
    record AdaptiveThreshold(double fraction, boolean errorFeedback) implements Compression {

        public AdaptiveThreshold {
            checkFraction(fraction);
        }
    }

    /** Exactly this fraction of the elements, those of the largest magnitude. */
    record TopK(double fraction, boolean errorFeedback) implements Compression {

        public TopK {
            checkFraction(fraction);
        }
    }

    /** A fraction of the elements, which all ranks choose alike; scaled up without feedback. */
    record RandomK(double fraction, boolean errorFeedback) implements Compression {

        public RandomK {
            checkFraction(fraction);
        }
    }

    /**
     * Every element rounded at random to a few levels (Alistarh and others 2017).
     *
     * @param bits of an element
     * @param bucket elements that share a norm
     */
    record Qsgd(int bits, int bucket, boolean errorFeedback) implements Compression {

        private static final int MOST_BITS = 8;
        private static final int LARGEST_BUCKET = 1024;

        public Qsgd {
            Rules.between("bits", bits, 2, MOST_BITS);
            Rules.between("bucket", bucket, 1, LARGEST_BUCKET);
        }

        /** Between zero and the norm. */
        @JsonIgnore
        public int levels() {
            return (1 << (bits - 1)) - 1;
        }
    }

    /** The signs and the mean magnitude of each layer. */
    record Sign(boolean errorFeedback) implements Compression {}

    /** The product of two thin matrices for each layer's (Vogels and others 2019). */
    record PowerSgd(int rank) implements Compression {

        private static final int MOST = 256;

        public PowerSgd {
            Rules.between("rank", rank, 1, MOST);
        }

        @Override
        @JsonIgnore
        public boolean errorFeedback() {
            return true;
        }
    }

    /**
     * Of a language model's input layer the words of a round, of its output layer these and some
     * others, of the layers between some rows (Xiao and others 2017; Li and others 2018).
     *
     * @param frequent share of the vocabulary, its most frequent words, which are always sent
     * @param others share of the other words, drawn anew each round
     * @param hidden share of the rows of hidden layers, drawn anew each round
     * @param followLinks whether replicas behind slower links send smaller shares of others and
     *     hidden, whose means over the replicas are those asked for
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
