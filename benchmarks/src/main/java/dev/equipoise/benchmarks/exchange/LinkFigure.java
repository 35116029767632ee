package dev.equipoise.benchmarks.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.agent.link.LinkCost;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.link.RankPair;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Measured link, as rank 0 prints it on a line.
 *
 * @param low the lower rank
 * @param high the higher rank
 */
record LinkFigure(
        int low,
        int high,
        @JsonProperty("alpha_seconds") double alpha,
        @JsonProperty("beta_seconds_per_byte") double beta,
        @JsonProperty("relative_error") double relativeError) {

    /** Lists the links in the order of the lower rank, then of the higher. */
    static List<LinkFigure> of(LinkMatrix matrix) {
        return matrix.costs().entrySet().stream()
                .map(link -> of(link.getKey(), link.getValue()))
                .sorted(Comparator.comparingInt(LinkFigure::low).thenComparingInt(LinkFigure::high))
                .toList();
    }

    private static LinkFigure of(RankPair pair, LinkCost cost) {
        return new LinkFigure(
                pair.low(), pair.high(), cost.alpha(), cost.beta(), cost.relativeError());
    }

    static LinkMatrix matrix(int ranks, List<LinkFigure> figures) {
        return new LinkMatrix(
                ranks,
                figures.stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        figure -> new RankPair(figure.low, figure.high),
                                        figure ->
                                                new LinkCost(
                                                        figure.alpha,
                                                        figure.beta,
                                                        figure.relativeError))));
    }
}
