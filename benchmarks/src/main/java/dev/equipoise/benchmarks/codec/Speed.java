package dev.equipoise.benchmarks.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one codec reaches.
 *
 * @param elements of the vector, float32
 * @param encode GB/s of input, by the median time
 * @param decode GB/s of output, by the median time; null where it cannot be told from encoding
 * @param frameBytes with header
 * @param ratio of the plain vector's bytes to the frame's
 * @param wanted GB/s of input on a vector as long as ResNet-50's, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Speed(
        String codec,
        int elements,
        @JsonProperty("encode_gb_per_s") double encode,
        @JsonProperty("decode_gb_per_s") @Nullable Double decode,
        @JsonProperty("frame_bytes") long frameBytes,
        double ratio,
        @JsonProperty("wanted_encode_gb_per_s") @Nullable Double wanted) {

    boolean reached() {
        return wanted == null || encode >= wanted;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%-24s encode %6.2f GB/s  decode %s  %,12d bytes  ratio %6.1f%s",
                codec,
                encode,
                decode == null ? "     -     " : String.format(Locale.ROOT, "%6.2f GB/s", decode),
                frameBytes,
                ratio,
                verdict());
    }

    private String verdict() {
        return wanted == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  %s (at least %.1f)",
                        reached() ? "reached" : "MISSED",
                        wanted);
    }
}
