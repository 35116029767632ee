package dev.equipoise.benchmarks;

import java.util.Comparator;
import java.util.List;

/** The middle of what varies. */
public final class Medians {

    private Medians() {}

    /** Between the two in the middle, where there are two. */
    public static double of(List<Double> values) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
