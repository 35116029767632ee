package dev.equipoise.benchmarks.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.benchmarks.Medians;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What all series of one size come to.
 *
 * @param seconds the median over our series
 * @param ratios by peer: the median over the pairs of its time over ours; above 1 we are faster
 */
record Comparison(
        int ranks,
        long bytes,
        double seconds,
        @JsonProperty("bus_mb_per_s") double busMegabytesPerSecond,
        Map<String, Double> ratios) {

    /**
     * Sums series up, size by size.
     *
     * @param ours the figures of each series
     * @param peers by name, as many series as ours
     */
    static List<Comparison> of(List<List<Figure>> ours, Map<String, List<List<Figure>>> peers) {
        return IntStream.range(0, ours.getFirst().size())
                .mapToObj(size -> of(size, ours, peers))
                .toList();
    }

    private static Comparison of(
            int size, List<List<Figure>> ours, Map<String, List<List<Figure>>> peers) {
        Figure any = ours.getFirst().get(size);
        List<Double> seconds = ours.stream().map(it -> it.get(size).seconds()).toList();
        Map<String, Double> ratios = new TreeMap<>();
        peers.forEach((name, series) ->
                ratios.put(
                        name,
                        Medians.of(
                                IntStream.range(0, series.size())
                                        .mapToObj(pair ->
                                                seconds(series.get(pair), any.bytes())
                                                        / seconds.get(pair))
                                        .toList())));
        double median = Medians.of(seconds);
        Figure figure = Figure.of(any.ranks(), any.bytes(), median);
        return new Comparison(
                any.ranks(), any.bytes(), median, figure.busMegabytesPerSecond(), ratios);
    }

    private static double seconds(List<Figure> figures, long bytes) {
        return figures.stream()
                .filter(figure -> figure.bytes() == bytes)
                .findFirst()
                .orElseThrow()
                .seconds();
    }
}
