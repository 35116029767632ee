package dev.equipoise.app.prediction;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.telemetry.RankEpoch;
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
 * Batch efficiency: busy time over occupied time of the replicas in a round, from 0 to 1
 * (docs/algorithms.md, section 7).
 *
 * @param counts mini-batches of a round, by replica
 * @param predicted efficiency by the predicted compute times; null where a replica has none
 * @param measured efficiency by the median compute times of the epochs so far; null before the
 *     first epoch
 */
@Schema(name = "Run.BatchEfficiency")
public record BatchEfficiency(
        List<Integer> counts, @Nullable Double predicted, @Nullable Double measured) {

    public BatchEfficiency {
        counts = List.copyOf(counts);
    }

    /** Returns empty unless the partitioning has batch counts. */
    public static Optional<BatchEfficiency> of(
            RunConfiguration configuration,
            List<Validation.Rank> predictions,
            List<RankEpoch> results) {
        if (!(configuration.partitioning() instanceof Partitioning.BatchCounts(var counts))) {
            return Optional.empty();
        }
        int servers = configuration.topology().servers();
        Map<Integer, RankSeconds> predicted =
                predictions.stream()
                        .collect(
                                Collectors.toMap(
                                        Validation.Rank::rank, Validation.Rank::predicted));
        Map<Integer, RankSeconds> measured =
                results.stream()
                        .collect(
                                Collectors.groupingBy(
                                        RankEpoch::rank,
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

    /** Returns null unless every replica has a compute time above 0 s. */
    private static @Nullable Double efficiency(
            List<Integer> counts, int servers, Map<Integer, RankSeconds> byRank) {
        List<Double> seconds = computeSeconds(counts.size(), servers, byRank);
        return seconds.size() < counts.size()
                ? null
                : BatchCounts.of(
                                counts,
                                IntStream.range(0, counts.size())
                                        .mapToObj(it -> counts.get(it) / seconds.get(it))
                                        .toList())
                        .efficiency();
    }

    /** Returns the compute times above 0 s of the replicas. */
    private static List<Double> computeSeconds(
            int replicas, int servers, Map<Integer, RankSeconds> byRank) {
        return IntStream.range(0, replicas)
                .mapToObj(replica -> byRank.get(servers + replica))
                .filter(Objects::nonNull)
                .map(RankSeconds::computeSeconds)
                .filter(it -> it > 0)
                .toList();
    }
}
