package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** Normalization of samples before the first layer. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Normalization.Unit.class, name = "unit"),
    @JsonSubTypes.Type(value = Normalization.Standardize.class, name = "standardise")
})
public sealed interface Normalization {

    /**
     * Scaling: bytes divided by 255, gray levels by their number; values of a CSV file as they are.
     */
    record Unit() implements Normalization {}

    /**
     * Standardization: {@link Unit}, and then {@code (x - mean) / deviation}.
     *
     * @param mean mean of each channel, or one for all
     * @param deviation standard deviation of each channel, or one for all
     */
    record Standardize(List<Double> mean, List<Double> deviation) implements Normalization {

        /** Largest mean or standard deviation. */
        public static final double MAX_VALUE = 1e6;

        /** Smallest standard deviation. */
        public static final double MIN_DEVIATION = 1e-6;

        public Standardize {
            mean = List.copyOf(mean);
            deviation = List.copyOf(deviation);
            if (mean.isEmpty() || mean.size() != deviation.size()) {
                throw new IllegalArgumentException(
                        "the numbers of means and deviations must be equal and at least 1, but were"
                                + " %d and %d".formatted(mean.size(), deviation.size()));
            }
            mean.forEach(value -> within("mean", value, -MAX_VALUE));
            deviation.forEach(value -> within("deviation", value, MIN_DEVIATION));
        }

        private static void within(String name, double value, double least) {
            if (!(value >= least && value <= MAX_VALUE)) {
                throw new IllegalArgumentException(
                        "%s must be from %s to %s, but was %s"
                                .formatted(name, least, MAX_VALUE, value));
            }
        }

        public double mean(int channel) {
            return mean.get(mean.size() == 1 ? 0 : channel);
        }

        public double deviation(int channel) {
            return deviation.get(deviation.size() == 1 ? 0 : channel);
        }
    }

    /**
     * Rejects a normalization that does not fit the channels.
     *
     * @throws IllegalArgumentException if there is neither one mean nor one per channel
     */
    default void requireChannels(int channels) {
        if (this instanceof Standardize(List<Double> mean, List<Double> _)
                && mean.size() != 1
                && mean.size() != channels) {
            throw new IllegalArgumentException(
                    "there must be 1 or %d means, but there were %d"
                            .formatted(channels, mean.size()));
        }
    }
}
