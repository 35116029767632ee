package dev.equipoise.app.run;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.performance.partition.BatchCounts;
import dev.equipoise.protocol.Partitioning;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How busy the mini-batches of a round keep the replicas (ALGORITHMS.md section 7).
 *
 * @param counts of a round, by replica
 * @param predicted what all replicas compute in a round against what they could in the same time,
 *     by their predicted speeds; null where these are not known
 * @param measured the same by the median over the epochs so far; null before the first
 */
@Schema(name = "Run.BatchEfficiency")
public record BatchEfficiency(
        List<Integer> counts, @Nullable Double predicted, @Nullable Double measured) {

    public BatchEfficiency {
        counts = List.copyOf(counts);
    }

    /** Empty where replicas have no counts of their own. */
    static Optional<BatchEfficiency> of(
            RunConfiguration configuration,
            List<RankPrediction> predictions,
            List<EpochResult> results) {
        if (!(configuration.partitioning() instanceof Partitioning.BatchCounts(var counts))) {
            return Optional.empty();
        }
        int servers = configuration.topology().servers();
        Map<Integer, RankSeconds> predicted =
                predictions.stream()
                        .collect(Collectors.toMap(RankPrediction::rank, RankPrediction::predicted));
        Map<Integer, RankSeconds> measured =
                results.stream()
                        .collect(
                                Collectors.groupingBy(
                                        EpochResult::rank,
                                        Collectors.collectingAndThen(
                                                Collectors.toList(),
                                                it ->
                                                        Objects.requireNonNull(
                                                                Validation.medians(it)))));
        return Optional.of(
                new BatchEfficiency(
                        counts,
                        efficiency(counts, servers, predicted),
                        efficiency(counts, servers, measured)));
    }

    /** Null unless something is known of every replica. */
    private static @Nullable Double efficiency(
            List<Integer> counts, int servers, Map<Integer, RankSeconds> byRank) {
        List<Double> seconds =
                IntStream.range(0, counts.size())
                        .mapToObj(replica -> byRank.get(servers + replica))
                        .filter(Objects::nonNull)
                        .map(RankSeconds::computeSeconds)
                        .filter(it -> it > 0)
                        .toList();
        return seconds.size() < counts.size()
                ? null
                : BatchCounts.of(
                                counts,
                                IntStream.range(0, counts.size())
                                        .mapToObj(it -> counts.get(it) / seconds.get(it))
                                        .toList())
                        .efficiency();
    }
}
