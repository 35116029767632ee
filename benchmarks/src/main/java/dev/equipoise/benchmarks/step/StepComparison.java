package dev.equipoise.benchmarks.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.benchmarks.Medians;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Summary of the measurements of one network.
 *
 * @param seconds median over our processes of the median step time
 * @param peerSamplesPerSecond the median of the peer, each time in its faster layout
 * @param ratio median over the pairs of our speed over the peer's; above 1 ours is faster
 * @param ratios of each pair, in the order of measurement
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record StepComparison(
        String net,
        int threads,
        int batch,
        double seconds,
        @JsonProperty("samples_per_s") double samplesPerSecond,
        @JsonProperty("peer_samples_per_s") @Nullable Double peerSamplesPerSecond,
        @Nullable Double ratio,
        @Nullable List<Double> ratios) {

    /**
     * Summarizes pairs.
     *
     * @param peers the faster layout of each pair, or empty
     */
    static StepComparison of(List<Timing> ours, List<Timing> peers) {
        Timing any = ours.getFirst();
        double seconds = Medians.of(ours.stream().map(Timing::seconds).toList());
        List<Double> ratios = ratios(ours, peers);
        return new StepComparison(
                any.net(),
                any.threads(),
                any.batch(),
                seconds,
                any.batch() / seconds,
                median(peers.stream().map(Timing::samplesPerSecond).toList()),
                median(ratios),
                ratios.isEmpty() ? null : ratios);
    }

    /** Returns our speed over the peer's, by pair. */
    private static List<Double> ratios(List<Timing> ours, List<Timing> peers) {
        return IntStream.range(0, peers.size())
                .mapToObj(i -> peers.get(i).seconds() / ours.get(i).seconds())
                .toList();
    }

    private static @Nullable Double median(List<Double> values) {
        return values.isEmpty() ? null : Medians.of(values);
    }
}
