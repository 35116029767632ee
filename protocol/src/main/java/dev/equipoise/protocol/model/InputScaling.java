package dev.equipoise.protocol.model;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.dataset.NumericSpec;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Optdigits;
import java.util.List;
import java.util.Optional;

/**
 * Normalization of raw values before the first layer: {@code (value / divisor - mean) / deviation}.
 *
 * @param divisor largest raw value, such as 255 for bytes; 1 for values of a CSV file
 * @param mean of each channel or feature, or one for all
 * @param deviation of each channel or feature, or one for all
 */
public record InputScaling(double divisor, List<Double> mean, List<Double> deviation) {

    private static final int BRIGHTEST_BYTE = 255;

    public InputScaling {
        mean = List.copyOf(mean);
        deviation = List.copyOf(deviation);
    }

    /** Returns the normalization of a data set; empty if its samples are taken as they are. */
    public static Optional<InputScaling> of(DatasetSpec dataset) {
        return dataset instanceof NumericSpec numeric
                ? Optional.of(of(divisor(numeric), numeric.normalisation()))
                : Optional.empty();
    }

    /** Normalizes a raw value of a channel or feature. */
    public double apply(double value, int channel) {
        return (value / divisor - at(mean, channel)) / at(deviation, channel);
    }

    private static double at(List<Double> values, int channel) {
        return values.get(values.size() == 1 ? 0 : channel);
    }

    private static double divisor(NumericSpec dataset) {
        return switch (dataset) {
            case OwnSpec.Csv _ -> 1;
            case Optdigits _ -> Optdigits.LEVELS;
            default -> BRIGHTEST_BYTE;
        };
    }

    private static InputScaling of(double divisor, Normalization normalization) {
        return switch (normalization) {
            case Normalization.Unit _ -> new InputScaling(divisor, List.of(0.0), List.of(1.0));
            case Standardize(List<Double> mean, List<Double> deviation) ->
                    new InputScaling(divisor, mean, deviation);
        };
    }
}
