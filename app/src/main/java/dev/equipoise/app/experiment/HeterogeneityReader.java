package dev.equipoise.app.experiment;

import static java.util.stream.Collectors.toMap;

import dev.equipoise.app.configuration.Environment.Heterogeneity;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.LinkLimit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the emulated heterogeneity and reports everything that is wrong. */
final class HeterogeneityReader {

    private static final int MAX_LINKS = 10_000;
    private static final double FASTEST = 1e6;
    private static final double SLOWEST = 1000;
    private static final List<Integer> PAIR = List.of(2);

    private HeterogeneityReader() {}

    /**
     * Reads the emulated limits of links and slowdowns of ranks.
     *
     * @param first the first training rank
     * @param replicas the number of training ranks
     */
    static Heterogeneity read(JsonFieldReader fields, int first, int replicas) {
        List<LinkLimit> limits =
                fields.given("links")
                        ? fields.elements("links", 0, MAX_LINKS).stream()
                                .map(element -> link(element.object()))
                                .toList()
                        : List.of();
        var slowDown = slowDown(fields, first, replicas);
        int slowDownFrom = fields.integer("slowDownFrom", 1, 1, DefinitionLimits.MAX_EPOCHS);
        fields.end();
        return new Heterogeneity(limits, slowDown, slowDownFrom);
    }

    /** Reads slowdowns by rank, or as a list that is repeated over the replicas. */
    private static Map<Integer, Double> slowDown(JsonFieldReader fields, int first, int replicas) {
        if (!fields.isNumberOrList("slowDown")) {
            return fields.byRank("slowDown", DefinitionLimits.MAX_REPLICAS, 1, SLOWEST);
        }
        List<Integer> sizes = IntStream.rangeClosed(1, replicas).boxed().toList();
        List<Double> factors = fields.numbers("slowDown", null, sizes, 1, SLOWEST);
        return IntStream.range(0, replicas)
                .boxed()
                .collect(toMap(it -> first + it, it -> factors.get(it % factors.size())));
    }

    /** Reports limits that are inconsistent although each field is valid. */
    static void check(RunConfiguration configuration, JsonFieldReader root) {
        int ranks = configuration.ranks();
        List<LinkLimit> limits = configuration.heterogeneity().links();
        int first = configuration.topology().servers();
        configuration.heterogeneity().slowDown().keySet().stream()
                .filter(rank -> rank < first || rank >= ranks)
                .sorted()
                .forEach(rank ->
                        root.note(
                                "heterogeneity/slowDown/" + rank,
                                "must be a training rank, from %d to %d"
                                        .formatted(first, ranks - 1)));
        checkBegin(configuration, root);
        Set<Optional<Set<Integer>>> seen = new HashSet<>();
        for (int i = 0; i < limits.size(); i++) {
            LinkLimit limit = limits.get(i);
            String path = "heterogeneity/links/" + i;
            Optional<Set<Integer>> named = Optional.ofNullable(limit.between()).map(HashSet::new);
            if (named.filter(pair -> !isPair(pair, ranks)).isPresent()) {
                root.note(
                        path + "/between",
                        "must be two different ranks from 0 to %d".formatted(ranks - 1));
            }
            if (!seen.add(named)) {
                root.note(path, "must not limit the same links as another element");
            }
            if (limit.megabytesPerSecond() == null && limit.delayMilliseconds() == 0) {
                root.note(path, "must have megabytesPerSecond, or a delayMilliseconds above 0");
            }
        }
    }

    private static void checkBegin(RunConfiguration configuration, JsonFieldReader root) {
        int from = configuration.heterogeneity().slowDownFrom();
        if (from > 1 && configuration.heterogeneity().slowDown().isEmpty()) {
            root.note("heterogeneity/slowDownFrom", "must be omitted if slowDown slows no rank");
        }
        if (from > configuration.training().epochs()) {
            root.note(
                    "heterogeneity/slowDownFrom",
                    "must be at most the epochs of the run, %d"
                            .formatted(configuration.training().epochs()));
        }
    }

    private static boolean isPair(Set<Integer> pair, int ranks) {
        return pair.size() == 2 && pair.stream().allMatch(rank -> rank < ranks);
    }

    private static LinkLimit link(JsonFieldReader fields) {
        @Nullable List<Integer> between = fields.given("between") ? between(fields) : null;
        @Nullable Double bandwidth =
                fields.given("megabytesPerSecond")
                        ? fields.number(
                                "megabytesPerSecond",
                                null,
                                LinkLimit.MIN_MEGABYTES_PER_SECOND,
                                FASTEST)
                        : null;
        double delay = fields.number("delayMilliseconds", 0.0, 0, LinkLimit.MAX_DELAY_MILLISECONDS);
        fields.end();
        return new LinkLimit(between, bandwidth, delay);
    }

    private static List<Integer> between(JsonFieldReader fields) {
        List<Double> ranks =
                fields.numbers("between", null, PAIR, 0, DefinitionLimits.MAX_REPLICAS - 1);
        if (!ranks.stream().allMatch(rank -> rank == Math.rint(rank))) {
            fields.note("between", "must be whole numbers");
        }
        return ranks.stream().map(Double::intValue).toList();
    }
}
