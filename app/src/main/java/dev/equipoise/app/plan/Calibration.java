package dev.equipoise.app.plan;

import dev.equipoise.app.run.RunKind;
import dev.equipoise.app.run.Validated;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What earlier runs have taught: how long epochs took, against what the time model said of them.
 *
 * @param runs that were predicted and have completed, of the whole lab, newest first
 */
record Calibration(List<Validated> runs) {

    /** Fewer tell of themselves rather than of the model. */
    static final int LEAST_RUNS = 3;

    Calibration {
        runs = List.copyOf(runs);
    }

    /** From whom a correction comes, the most telling first. */
    enum Scope {
        /** Runs of the same kind. */
        KIND,
        /** All real runs of the lab. */
        LAB,
        /** Nobody. */
        NONE
    }

    /**
     * By what a prediction of the time model is multiplied.
     *
     * @param factor median of measured over modelled epochs; 1 where there are too few
     * @param spread mean distance of these ratios from the median, relative to it
     * @param runs how many runs it is of
     */
    record Correction(Scope scope, double factor, double spread, int runs) {

        static final Correction NONE = new Correction(Scope.NONE, 1, 0, 0);

        /** What no clock of a lab repeats better, until runs have shown it. */
        private static final double UNTRIED = 0.1;

        /** Of a clock that is not real, which the model plays almost as it is. */
        private static final double UNTRIED_VIRTUAL = 0.02;

        private static final String UNSHOWN =
                "no runs of this lab have shown yet how far such predictions are off";

        /** How far off it may be, by what earlier predictions were. */
        double uncertainty(RunKind kind) {
            double untried = kind.isReal() ? UNTRIED : UNTRIED_VIRTUAL;
            return switch (scope) {
                case KIND -> spread;
                case LAB -> Math.max(untried, spread);
                case NONE -> untried;
            };
        }

        /** What is to be said of that. */
        Optional<String> doubt() {
            return scope == Scope.NONE ? Optional.of(UNSHOWN) : Optional.empty();
        }
    }

    /**
     * How far predictions were off when they were told.
     *
     * @param meanAbsoluteError mean of |predicted - measured| / measured; null of no runs
     */
    @Schema(name = "Plan.Trust")
    record Trust(int runs, @Nullable Double meanAbsoluteError) {

        static Trust of(List<Validated> some) {
            return new Trust(
                    some.size(),
                    some.isEmpty()
                            ? null
                            : some.stream()
                                    .mapToDouble(it -> Math.abs(it.error()))
                                    .average()
                                    .orElseThrow());
        }
    }

    /**
     * By runs of the same kind, or else, of real runs, by those of the lab. What a clock does that
     * is not real, the model plays; where that is off for one kind it tells nothing of others.
     */
    Correction correction(RunKind kind) {
        List<Validated> same = of(kind);
        if (same.size() >= LEAST_RUNS) {
            return correction(Scope.KIND, same);
        }
        List<Validated> lab =
                kind.isReal() ? runs.stream().filter(it -> it.kind().isReal()).toList() : List.of();
        return lab.size() >= LEAST_RUNS ? correction(Scope.LAB, lab) : Correction.NONE;
    }

    private static Correction correction(Scope scope, List<Validated> some) {
        double median = median(some.stream().mapToDouble(Validated::ratio));
        return new Correction(
                scope,
                median,
                some.stream()
                        .mapToDouble(it -> Math.abs(it.ratio() / median - 1))
                        .average()
                        .orElseThrow(),
                some.size());
    }

    /** Of just this kind. */
    List<Validated> of(RunKind kind) {
        return runs.stream().filter(it -> it.kind().equals(kind)).toList();
    }

    /** The kinds of which there are enough, each once, by their names. */
    List<RunKind> kinds() {
        return runs.stream()
                .map(Validated::kind)
                .distinct()
                .filter(kind -> of(kind).size() >= LEAST_RUNS)
                .sorted(Comparator.comparing(RunKind::toString))
                .toList();
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
