package dev.equipoise.app.prediction;

import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.app.telemetry.RunFigures;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Predicted and measured seconds of a run.
 *
 * @param predictedSeconds predicted time of an epoch
 * @param measuredSeconds measured time of an epoch: median over the epochs so far; null before the
 *     first
 * @param error relative error, (predicted - measured) / measured; null if no time, or 0 s, was
 *     measured
 * @param ranks predicted and measured seconds by rank
 */
public record Validation(
        double predictedSeconds,
        @Nullable Double measuredSeconds,
        @Nullable Double error,
        List<Rank> ranks) {

    public Validation {
        ranks = List.copyOf(ranks);
    }

    /**
     * Predicted and measured seconds of one rank.
     *
     * @param rank rank, from 0
     * @param predicted predicted phase times of an epoch
     * @param measured medians over its epochs; null before the first
     */
    @Schema(name = "Validation.Rank")
    public record Rank(int rank, RankSeconds predicted, @Nullable RankSeconds measured) {}

    /**
     * Validates a prediction.
     *
     * @param measured summary of the epochs so far; null before the first
     * @param ranks predicted seconds of each rank
     * @param results epochs of the workers that the prediction applies to
     */
    public static Validation of(
            Prediction prediction,
            @Nullable RunFigures measured,
            List<Rank> ranks,
            List<RankEpoch> results) {
        Map<Integer, List<RankEpoch>> byRank =
                results.stream().collect(Collectors.groupingBy(RankEpoch::rank));
        Double seconds = measured == null ? null : measured.epochSeconds();
        return new Validation(
                prediction.epochSeconds(),
                seconds,
                seconds == null ? null : error(prediction.epochSeconds(), seconds),
                ranks.stream()
                        .sorted(Comparator.comparingInt(Rank::rank))
                        .map(it ->
                                new Rank(
                                        it.rank(),
                                        it.predicted(),
                                        it.measured() == null
                                                ? medians(byRank.getOrDefault(it.rank(), List.of()))
                                                : it.measured()))
                        .toList());
    }

    private static @Nullable Double error(double predicted, double measured) {
        return measured > 0 ? (predicted - measured) / measured : null;
    }

    /** Returns null if there are no epochs. */
    static @Nullable RankSeconds medians(List<RankEpoch> epochs) {
        return epochs.isEmpty()
                ? null
                : new RankSeconds(
                        median(epochs, it -> it.figures().phases().computeSeconds()),
                        median(epochs, it -> it.figures().phases().transferSeconds()),
                        median(epochs, it -> it.figures().phases().waitSeconds()));
    }

    private static double median(List<RankEpoch> epochs, ToDoubleFunction<RankEpoch> seconds) {
        return RunFigures.median(epochs.stream().mapToDouble(seconds));
    }
}
