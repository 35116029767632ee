package dev.equipoise.benchmarks;

import java.util.Comparator;
import java.util.List;

public final class Medians {

    private Medians() {}

    /** Returns the median; the mean of the middle two for an even number of values. */
    public static double of(List<Double> values) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
