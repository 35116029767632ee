package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** What happens to the numbers of a sample before a network sees them. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Normalisation.Unit.class, name = "unit"),
    @JsonSubTypes.Type(value = Normalisation.Standardise.class, name = "standardise")
})
public sealed interface Normalisation {

    /** Bytes over 255, grey levels over their number; numbers of a csv file as they are. */
    record Unit() implements Normalisation {}

    /**
     * {@link Unit}, and then {@code (x - mean) / deviation}.
     *
     * @param mean of each channel, or one for all
     * @param deviation of each channel, or one for all
     */
    record Standardise(List<Double> mean, List<Double> deviation) implements Normalisation {

        /** The largest number that a mean or a deviation may be. */
        public static final double MOST = 1e6;

        /** The smallest number that a deviation may be. */
        public static final double LEAST_DEVIATION = 1e-6;

        public Standardise {
            mean = List.copyOf(mean);
            deviation = List.copyOf(deviation);
            if (mean.isEmpty() || mean.size() != deviation.size()) {
                throw new IllegalArgumentException(
                        "there must be as many deviations as means, but there were %d and %d"
                                .formatted(deviation.size(), mean.size()));
            }
            mean.forEach(value -> within("mean", value, -MOST));
            deviation.forEach(value -> within("deviation", value, LEAST_DEVIATION));
        }

        private static void within(String name, double value, double least) {
            if (!(value >= least && value <= MOST)) {
                throw new IllegalArgumentException(
                        "%s must be from %s to %s, but was %s".formatted(name, least, MOST, value));
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
     * Refuses what does not fit so many channels.
     *
     * @throws IllegalArgumentException if there are neither one nor as many means
     */
    default void requireChannels(int channels) {
        if (this instanceof Standardise(List<Double> mean, List<Double> _)
                && mean.size() != 1
                && mean.size() != channels) {
            throw new IllegalArgumentException(
                    "there must be 1 or %d means, but there were %d"
                            .formatted(channels, mean.size()));
        }
    }
}
