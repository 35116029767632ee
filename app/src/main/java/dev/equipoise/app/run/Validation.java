package dev.equipoise.app.run;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was predicted of a run beside what was measured.
 *
 * @param predictedSeconds of an epoch
 * @param measuredSeconds median over the epochs so far; null before the first
 * @param error (predicted - measured) / measured; null where nothing or no time was measured
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
     * One rank.
     *
     * @param measured each the median over its epochs; null before the first
     */
    @Schema(name = "Validation.Rank")
    public record Rank(int rank, RankSeconds predicted, @Nullable RankSeconds measured) {}

    static Validation of(
            Prediction prediction,
            @Nullable Measured measured,
            List<RankPrediction> ranks,
            List<EpochResult> results) {
        Map<Integer, List<EpochResult>> byRank =
                results.stream().collect(Collectors.groupingBy(EpochResult::rank));
        Double seconds = measured == null ? null : measured.epochSeconds();
        return new Validation(
                prediction.epochSeconds(),
                seconds,
                seconds == null ? null : error(prediction.epochSeconds(), seconds),
                ranks.stream()
                        .sorted(Comparator.comparingInt(RankPrediction::rank))
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

    /** Null of no epochs. */
    static @Nullable RankSeconds medians(List<EpochResult> epochs) {
        return epochs.isEmpty()
                ? null
                : new RankSeconds(
                        median(epochs, it -> it.figures().phases().computeSeconds()),
                        median(epochs, it -> it.figures().phases().transferSeconds()),
                        median(epochs, it -> it.figures().phases().waitSeconds()));
    }

    private static double median(List<EpochResult> epochs, ToDoubleFunction<EpochResult> seconds) {
        return Measured.median(epochs.stream().mapToDouble(seconds));
    }
}
