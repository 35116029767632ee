package dev.equipoise.benchmarks.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.equipoise.benchmarks.Medians;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the measurements of one network come to.
 *
 * @param seconds the median over our processes of a step's median
 * @param peerSamplesPerSecond the same of the peer, each time in the better of its layouts
 * @param ratio the median over the pairs of our speed over the peer's; above 1 we are faster
 * @param ratios of each pair, in the order in which they ran
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Comparison(
        String net,
        int threads,
        int batch,
        double seconds,
        @JsonProperty("samples_per_s") double samplesPerSecond,
        @JsonProperty("peer_samples_per_s") @Nullable Double peerSamplesPerSecond,
        @Nullable Double ratio,
        @Nullable List<Double> ratios) {

    /**
     * Sums pairs up.
     *
     * @param peers the better layout of each pair, or none at all
     */
    static Comparison of(List<Timing> ours, List<Timing> peers) {
        Timing any = ours.getFirst();
        double seconds = Medians.of(ours.stream().map(Timing::seconds).toList());
        if (peers.isEmpty()) {
            return new Comparison(
                    any.net(),
                    any.threads(),
                    any.batch(),
                    seconds,
                    any.batch() / seconds,
                    null,
                    null,
                    null);
        }
        List<Double> ratios =
                IntStream.range(0, peers.size())
                        .mapToObj(i -> peers.get(i).seconds() / ours.get(i).seconds())
                        .toList();
        return new Comparison(
                any.net(),
                any.threads(),
                any.batch(),
                seconds,
                any.batch() / seconds,
                Medians.of(peers.stream().map(Timing::samplesPerSecond).toList()),
                Medians.of(ratios),
                ratios);
    }
}
