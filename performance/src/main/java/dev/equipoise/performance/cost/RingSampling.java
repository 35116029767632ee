package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Compression.SampledRows;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sampling rates of a ring all-reduce whose links differ. All ranks of a ring send the same rows,
 * and the slowest link holds up each step, so that the rate follows this link: it carries in the
 * same time what the mean link would carry of the wanted share (docs/algorithms.md, section 6; the
 * future work of Li and others 2018).
 */
public final class RingSampling {

    private RingSampling() {}

    /** Seconds per byte of the links between ranks. */
    @FunctionalInterface
    public interface SecondsPerByte {

        /** Returns the seconds per byte of a link, above 0. */
        double between(int rank, int peer);
    }

    /**
     * Resolves sampled rows that follow the links of a ring in rank order to the shares that all
     * ranks send. Returns other methods unchanged.
     *
     * @param ranks of the ring, at least 1
     */
    public static Method resolved(Method method, int ranks, SecondsPerByte links) {
        if (!(method.topology() instanceof Topology.AllReduce)
                || !(method.compression() instanceof SampledRows rows)
                || !rows.followLinks()) {
            return method;
        }
        double factor = factor(ring(ranks, links));
        Compression resolved =
                new SampledRows(
                        rows.frequent(),
                        factor * rows.others(),
                        factor * rows.hidden(),
                        false,
                        rows.errorFeedback());
        return new Method(method.synchronization(), method.topology(), resolved);
    }

    private static List<Double> ring(int ranks, SecondsPerByte links) {
        return ranks == 1
                ? List.of(1.0)
                : IntStream.range(0, ranks)
                        .mapToObj(rank -> links.between(rank, (rank + 1) % ranks))
                        .toList();
    }

    /** Returns the bandwidth of the slowest link over the mean bandwidth, at most 1. */
    static double factor(List<Double> secondsPerByte) {
        double slowest = secondsPerByte.stream().mapToDouble(it -> it).max().orElseThrow();
        double mean = secondsPerByte.stream().mapToDouble(it -> 1 / it).average().orElseThrow();
        return Math.min(1, 1 / (slowest * mean));
    }
}
