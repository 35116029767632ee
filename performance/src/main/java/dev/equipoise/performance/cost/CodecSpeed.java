package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Compression;

/**
 * Speeds of a codec, measured on one thread of one machine (docs/benchmarks.md, codecs). Other
 * machines differ with their memory and cores.
 *
 * @param encode bytes of the plain vector per second
 * @param decode bytes of the plain vector per second
 */
public record CodecSpeed(double encode, double decode) {

    private static final double GIGABYTE = 1e9;

    /** Returns the speeds of a codec; infinite without compression. */
    public static CodecSpeed of(Compression compression) {
        return switch (compression) {
            case Compression.None _ ->
                    new CodecSpeed(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
            case Compression.Threshold _ -> gigabytes(4.22, 3.19);
            case Compression.AdaptiveThreshold _ -> gigabytes(4.00, 3.81);
            case Compression.TopK _ -> gigabytes(1.50, 3.80);
            case Compression.RandomK _ -> gigabytes(5.26, 4.97);
            case Compression.Qsgd _ -> gigabytes(2.57, 3.72);
            case Compression.Sign _ -> gigabytes(7.29, 5.51);
            case Compression.SampledRows _ -> gigabytes(8.32, 7.12);
            // The rate covers encoding and decoding of a whole round.
            case Compression.PowerSgd _ -> gigabytes(1.26, Double.POSITIVE_INFINITY);
        };
    }

    private static CodecSpeed gigabytes(double encode, double decode) {
        return new CodecSpeed(encode * GIGABYTE, decode * GIGABYTE);
    }

    /**
     * Returns the coding seconds of one exchange.
     *
     * @param bytes of the plain vector
     * @param decoded number of frames that a rank decodes
     */
    public double seconds(long bytes, int decoded) {
        return (double) bytes / encode + decoded * (double) bytes / decode;
    }
}
