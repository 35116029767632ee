package dev.equipoise.benchmarks.step;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One line of a measurement, ours or the peer's.
 *
 * @param peer null for ours
 * @param layout of the images; only the peer has several
 * @param seconds median of a step
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
record Timing(
        @Nullable String peer,
        String net,
        @Nullable String layout,
        int threads,
        int batch,
        double seconds,
        @JsonProperty("samples_per_s") double samplesPerSecond) {

    static Timing ours(String net, int threads, int batch, double seconds) {
        return new Timing(null, net, null, threads, batch, seconds, batch / seconds);
    }
}
