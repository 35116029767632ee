package dev.equipoise.benchmarks.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.benchmarks.Medians;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Summary of all series of one size.
 *
 * @param seconds median over our series
 * @param ratios by peer: median over the pairs of the peer's time over ours; above 1 ours is faster
 */
record AllReduceComparison(
        int ranks,
        long bytes,
        double seconds,
        @JsonProperty("bus_mb_per_s") double busMegabytesPerSecond,
        Map<String, Double> ratios) {

    /**
     * Summarizes series by size.
     *
     * @param ours figures of each series
     * @param peers by name, as many series as ours
     */
    static List<AllReduceComparison> of(
            List<List<Figure>> ours, Map<String, List<List<Figure>>> peers) {
        return IntStream.range(0, ours.getFirst().size())
                .mapToObj(size -> of(size, ours, peers))
                .toList();
    }

    private static AllReduceComparison of(
            int size, List<List<Figure>> ours, Map<String, List<List<Figure>>> peers) {
        Figure any = ours.getFirst().get(size);
        List<Double> seconds = ours.stream().map(it -> it.get(size).seconds()).toList();
        Map<String, Double> ratios = new TreeMap<>();
        peers.forEach((name, series) -> ratios.put(name, ratio(any.bytes(), seconds, series)));
        double median = Medians.of(seconds);
        Figure figure = Figure.of(any.ranks(), any.bytes(), median);
        return new AllReduceComparison(
                any.ranks(), any.bytes(), median, figure.busMegabytesPerSecond(), ratios);
    }

    /** Returns the median over the pairs of a peer's time over ours. */
    private static double ratio(long bytes, List<Double> ours, List<List<Figure>> peer) {
        return Medians.of(
                IntStream.range(0, peer.size())
                        .mapToObj(pair -> seconds(peer.get(pair), bytes) / ours.get(pair))
                        .toList());
    }

    private static double seconds(List<Figure> figures, long bytes) {
        return figures.stream()
                .filter(figure -> figure.bytes() == bytes)
                .findFirst()
                .orElseThrow()
                .seconds();
    }
}
