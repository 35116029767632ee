package dev.equipoise.app.run;

import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.protocol.ReplicaDistance;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Words for the log of a run about replicas that differ though the method keeps them equal, as on
 * processors that round differently.
 */
final class ReplicaDifferences {

    /** Most ranks that a note names. */
    private static final int MAX_RANKS = 8;

    private ReplicaDifferences() {}

    /** Distance of the replica of a rank from that of another one. */
    private record Difference(int rank, ReplicaDistance distance) {

        private static Stream<Difference> of(RankEpoch result) {
            return Optional.ofNullable(result.figures().difference())
                    .map(it -> new Difference(result.rank(), it))
                    .stream();
        }

        private static Stream<Difference> atStart(RunRank rank) {
            return Optional.ofNullable(rank.replaced())
                    .map(it -> new Difference(rank.rank(), it))
                    .stream();
        }

        private String text(String verb, List<RunRank> ranks) {
            return String.format(
                    Locale.ROOT,
                    "%s %s %.3g away, %.3g of the norm",
                    description(rank, ranks),
                    verb,
                    distance.absolute(),
                    distance.relative());
        }
    }

    /**
     * Describes the distances after an epoch; empty if all replicas are equal, or the same ranks
     * differed after the epoch before.
     *
     * @param results of all ranks
     * @param before results of the epoch before; none in the first epoch
     * @param ranks of the generation
     */
    static Optional<String> afterEpoch(
            List<RankEpoch> results, List<RankEpoch> before, List<RunRank> ranks) {
        List<Difference> differences = results.stream().flatMap(Difference::of).toList();
        if (differences.isEmpty() || differing(results).equals(differing(before))) {
            return Optional.empty();
        }
        return Optional.of(
                "replicas differ after epoch %d from that of %s: %s"
                        .formatted(
                                results.getFirst().figures().epoch(),
                                first(differences, ranks),
                                texts(differences, "is", ranks)));
    }

    /** Returns generation and number of each rank that differs. */
    private static List<String> differing(List<RankEpoch> results) {
        return results.stream()
                .filter(it -> it.figures().difference() != null)
                .map(it -> it.generation() + " " + it.rank())
                .toList();
    }

    /**
     * Describes the weights with which a generation begins; empty if all ranks had restored the
     * same.
     *
     * @param ranks of the generation that begins
     * @param ended results of the epoch whose checkpoint the ranks load, of ranks that may have had
     *     other workers; none without a checkpoint
     */
    static Optional<String> atStart(List<RunRank> ranks, List<RankEpoch> ended) {
        List<Difference> replaced = ranks.stream().flatMap(Difference::atStart).toList();
        return replaced.isEmpty()
                ? start(ended.stream().flatMap(Difference::of).toList(), List.of())
                : start(replaced, ranks);
    }

    private static Optional<String> start(List<Difference> differences, List<RunRank> ranks) {
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "all ranks begin with the weights of %s: %s"
                                .formatted(
                                        first(differences, ranks),
                                        texts(differences, "was", ranks)));
    }

    private static String first(List<Difference> differences, List<RunRank> ranks) {
        return description(differences.getFirst().distance().from(), ranks);
    }

    private static String texts(List<Difference> differences, String verb, List<RunRank> ranks) {
        String texts =
                differences.stream()
                        .limit(MAX_RANKS)
                        .map(it -> it.text(verb, ranks))
                        .collect(Collectors.joining("; "));
        int more = differences.size() - MAX_RANKS;
        return more > 0 ? "%s; and %d more".formatted(texts, more) : texts;
    }

    /** Describes a rank with its worker and processor, if it is among the given ones. */
    private static String description(int rank, List<RunRank> ranks) {
        return ranks.stream()
                .filter(it -> it.rank() == rank)
                .map(RunRank::descriptionWithProcessor)
                .findFirst()
                .orElse("rank " + rank);
    }
}
