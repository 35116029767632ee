package dev.equipoise.benchmarks.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measured speed of one codec.
 *
 * @param elements length of the float32 vector
 * @param encode GB/s of input, by the median time
 * @param decode GB/s of output, by the median time; null if it cannot be separated from encoding
 * @param frameBytes with header
 * @param ratio bytes of the plain vector over bytes of the frame
 * @param wanted lower bound of {@code encode} for a vector as long as that of ResNet-50, or null
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

    static Speed of(
            String codec,
            int elements,
            double encode,
            @Nullable Double decode,
            long frameBytes,
            @Nullable Double wanted) {
        double ratio = (double) elements * Float.BYTES / frameBytes;
        return new Speed(codec, elements, encode, decode, frameBytes, ratio, wanted);
    }

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
