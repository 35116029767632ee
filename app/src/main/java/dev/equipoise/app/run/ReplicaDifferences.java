package dev.equipoise.app.run;

import dev.equipoise.app.telemetry.RankEpoch;
import dev.equipoise.protocol.ReplicaDistance;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Words for the log of a run about replicas that differ though the method keeps them equal, as on
 * processors that round differently.
 */
final class ReplicaDifferences {

    /** Most ranks that a note names. */
    private static final int MAX_RANKS = 8;

    private ReplicaDifferences() {}

    /**
     * Replica of a rank that differs from that of another one.
     *
     * @param distance null if nobody has measured it
     */
    private record Difference(int rank, int from, @Nullable ReplicaDistance distance) {

        private static Stream<Difference> of(int rank, @Nullable ReplicaDistance distance) {
            return distance == null
                    ? Stream.empty()
                    : Stream.of(new Difference(rank, distance.from(), distance));
        }

        private static Stream<Difference> measured(RankEpoch result) {
            return of(result.rank(), result.figures().difference());
        }

        /** Finds the ranks whose weights have another checksum than those of the first one. */
        private static Stream<Difference> unmeasured(List<RankEpoch> results) {
            RankEpoch first = results.getFirst();
            return results.stream()
                    .filter(it -> it.figures().difference() == null)
                    .filter(it -> !it.figures().parameters().equals(first.figures().parameters()))
                    .map(it -> new Difference(it.rank(), first.rank(), null));
        }

        private String text(String verb, List<RunRank> ranks) {
            return distance == null
                    ? "%s %s at a distance that nobody has measured"
                            .formatted(description(rank, ranks), verb)
                    : String.format(
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
     * differed after the epoch before. Agents before protocol 0.2 measure none: their checksums
     * tell which ranks differ.
     *
     * @param results of all ranks with weights
     * @param before results of the epoch before; none in the first epoch
     * @param ranks of the generation
     */
    static Optional<String> afterEpoch(
            List<RankEpoch> results, List<RankEpoch> before, List<RunRank> ranks) {
        List<Difference> differences = differences(results);
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

    private static List<Difference> differences(List<RankEpoch> results) {
        return results.isEmpty()
                ? List.of()
                : Stream.concat(
                                results.stream().flatMap(Difference::measured),
                                Difference.unmeasured(results))
                        .sorted(Comparator.comparingInt(Difference::rank))
                        .toList();
    }

    /** Returns generation and number of each rank that differs. */
    private static List<String> differing(List<RankEpoch> results) {
        return differences(results).stream()
                .map(it -> results.getFirst().generation() + " " + it.rank())
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
        List<Difference> replaced =
                ranks.stream().flatMap(it -> Difference.of(it.rank(), it.replaced())).toList();
        return replaced.isEmpty()
                ? start(ended.stream().flatMap(Difference::measured).toList(), List.of())
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
        return description(differences.getFirst().from(), ranks);
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
