package dev.equipoise.benchmarks.exchange;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One line of a measurement, ours or a peer's.
 *
 * @param bytes of the vector
 * @param seconds of one all-reduce, mean of a series
 * @param busMegabytesPerSecond the fewest bytes that each rank must send, 2 (P - 1) / P of the
 *     vector, over the time
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Figure(
        int ranks,
        long bytes,
        double seconds,
        @JsonProperty("bus_mb_per_s") double busMegabytesPerSecond) {

    private static final double MEGA = 1e6;

    static Figure of(int ranks, long bytes, double seconds) {
        return new Figure(
                ranks, bytes, seconds, 2.0 * (ranks - 1) / ranks * bytes / MEGA / seconds);
    }
}
