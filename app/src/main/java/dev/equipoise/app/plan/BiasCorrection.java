package dev.equipoise.app.plan;

import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.app.prediction.PredictionOutcome;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the epoch time model by the measured over modeled epoch times of earlier runs.
 *
 * @param runs predicted and completed runs of the whole lab, newest first
 */
record BiasCorrection(List<PredictionOutcome> runs) {

    /** Least runs for a correction: fewer show their own deviation, not that of the model. */
    static final int MIN_RUNS = 3;

    BiasCorrection {
        runs = List.copyOf(runs);
    }

    /** The runs from which a correction comes, the most specific first. */
    enum Scope {
        /** Runs of the same prediction class. */
        KIND,
        /** All real runs of the lab. */
        LAB,
        /** No runs: no correction. */
        NONE
    }

    /**
     * The factor that multiplies a prediction of the epoch time model.
     *
     * @param factor median of measured over modeled epoch times; 1 if there are too few runs
     * @param spread mean distance of these ratios from the median, relative to it
     * @param runs number of these runs
     */
    record Correction(Scope scope, double factor, double spread, int runs) {

        static final Correction NONE = new Correction(Scope.NONE, 1, 0, 0);

        /** Assumed relative uncertainty of real runs before any validation. */
        private static final double UNTRIED = 0.1;

        /** Assumed relative uncertainty of virtual runs, which the model reproduces closely. */
        private static final double UNTRIED_VIRTUAL = 0.02;

        private static final String NOT_VALIDATED =
                "no completed run of this lab has validated such predictions yet";

        /** Relative uncertainty, from the errors of earlier predictions. */
        double uncertainty(PredictionClass kind) {
            double untried = kind.isReal() ? UNTRIED : UNTRIED_VIRTUAL;
            return switch (scope) {
                case KIND -> spread;
                case LAB -> Math.max(untried, spread);
                case NONE -> untried;
            };
        }

        /** The caveat of a prediction without correction. */
        Optional<String> caveat() {
            return scope == Scope.NONE ? Optional.of(NOT_VALIDATED) : Optional.empty();
        }
    }

    /**
     * The accuracy of past predictions, as published at the start of the runs.
     *
     * @param runs number of completed runs with a prediction
     * @param meanAbsoluteError MAPE: mean of |predicted - measured| / measured; null without runs
     */
    @Schema(name = "Plan.Trust")
    record Trust(int runs, @Nullable Double meanAbsoluteError) {

        static Trust of(List<PredictionOutcome> some) {
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
     * The correction by runs of the same prediction class, else, for a real run, by all real runs.
     * A deviation of virtual runs is specific to their class and does not correct other classes.
     */
    Correction correction(PredictionClass kind) {
        List<PredictionOutcome> same = of(kind);
        if (same.size() >= MIN_RUNS) {
            return correction(Scope.KIND, same);
        }
        List<PredictionOutcome> lab =
                kind.isReal() ? runs.stream().filter(it -> it.kind().isReal()).toList() : List.of();
        return lab.size() >= MIN_RUNS ? correction(Scope.LAB, lab) : Correction.NONE;
    }

    private static Correction correction(Scope scope, List<PredictionOutcome> some) {
        double median = median(some.stream().mapToDouble(PredictionOutcome::ratio));
        return new Correction(
                scope,
                median,
                some.stream()
                        .mapToDouble(it -> Math.abs(it.ratio() / median - 1))
                        .average()
                        .orElseThrow(),
                some.size());
    }

    /** The runs of a prediction class. */
    List<PredictionOutcome> of(PredictionClass kind) {
        return runs.stream().filter(it -> it.kind().equals(kind)).toList();
    }

    /** The prediction classes with enough runs, ordered by name. */
    List<PredictionClass> kinds() {
        return runs.stream()
                .map(PredictionOutcome::kind)
                .distinct()
                .filter(kind -> of(kind).size() >= MIN_RUNS)
                .sorted(Comparator.comparing(PredictionClass::toString))
                .toList();
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
