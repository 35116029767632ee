package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Compression.SampledRows;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Topology;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sampling rates of a ring all-reduce whose links differ. All ranks of a ring send the same rows,
 * and the slowest link holds up each step, so that all send the share of this link, if each link
 * had its own by {@link BandwidthShares} (docs/algorithms.md, section 6; the future work of Li and
 * others 2018).
 */
public final class RingSampling {

    /** Lower bound, for links without data: far below any real link. */
    private static final double MIN_SECONDS_PER_BYTE = 1e-12;

    private RingSampling() {}

    /** Seconds per byte of the links between ranks. */
    @FunctionalInterface
    public interface SecondsPerByte {

        /** Returns the seconds per byte of a link; 0 if they are too short or unknown. */
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
        List<Double> bandwidths = bandwidths(ranks, links);
        Compression resolved =
                new SampledRows(
                        rows.frequent(),
                        share(rows.others(), bandwidths),
                        share(rows.hidden(), bandwidths),
                        false,
                        rows.errorFeedback());
        return new Method(method.synchronization(), method.topology(), resolved);
    }

    /** Returns the bandwidths of the links around the ring. */
    private static List<Double> bandwidths(int ranks, SecondsPerByte links) {
        return IntStream.range(0, ranks)
                .mapToObj(rank -> 1 / secondsPerByte(rank, ranks, links))
                .toList();
    }

    private static double secondsPerByte(int rank, int ranks, SecondsPerByte links) {
        return ranks == 1
                ? 1
                : Math.max(MIN_SECONDS_PER_BYTE, links.between(rank, (rank + 1) % ranks));
    }

    private static double share(double mean, List<Double> bandwidths) {
        return Collections.min(BandwidthShares.of(mean, bandwidths));
    }
}
