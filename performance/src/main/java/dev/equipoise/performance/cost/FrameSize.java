package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape.Tokens;
import dev.equipoise.protocol.network.Stage;
import java.util.List;

/**
 * Payload size of a frame of network parameters (docs/codecs.md). A sparse frame holds a value and
 * an index for each sent element, in the shortest of three index codings. The third, delta varints,
 * stores the gap before each index in seven bits per byte: if a fraction f is sent, a gap is n or
 * more with probability (1 - f)^n, so that an index takes 1 + (1 - f)^(2^7) + (1 - f)^(2^14) + ...
 * bytes.
 *
 * @param bytes of one frame, without its header
 * @param isGuessed whether the size depends on the values and is therefore an estimate
 */
public record FrameSize(double bytes, boolean isGuessed) {

    /** Assumed fraction of the elements above a fixed threshold. */
    static final double GUESSED_FRACTION = 0.05;

    /** Assumed fraction of distinct words among those of a mini-batch, as text repeats words. */
    static final double GUESSED_DISTINCT = 0.5;

    /** Tolerance of a computed fraction, in elements. */
    private static final double ROUNDING = 1e-6;

    private static final int VALUE_BYTES = Float.BYTES;

    /**
     * Returns the frame size of all parameters of a network.
     *
     * @param samples of the mini-batches whose words travel, for language models
     */
    public static FrameSize of(Compression compression, Architecture network, double samples) {
        long elements = network.parameterCount();
        return switch (compression) {
            case Compression.None _ -> exact((double) VALUE_BYTES * elements);
            case Compression.Threshold _ -> guessed(sparse(elements, GUESSED_FRACTION));
            case Compression.AdaptiveThreshold(double fraction, var _) ->
                    guessed(sparse(elements, fraction));
            case Compression.TopK(double fraction, var _) -> exact(sparse(elements, fraction));
            case Compression.RandomK(double fraction, var _) ->
                    exact(VALUE_BYTES * Math.ceil(fraction * elements));
            case Compression.Qsgd qsgd -> exact(quantized(elements, qsgd));
            case Compression.Sign _ ->
                    exact(learning(network).stream().mapToDouble(FrameSize::signs).sum());
            case Compression.PowerSgd(int rank) ->
                    exact(
                            learning(network).stream()
                                    .mapToDouble(stage -> factors(stage, rank))
                                    .sum());
            case Compression.SampledRows rows -> guessed(sampled(network, rows, samples));
        };
    }

    /**
     * Returns the size of a server's answer with the sum of coded frames: the elements that are not
     * zero in the sum.
     */
    public static FrameSize ofSum(
            Compression compression, Architecture network, double samples, int ranks) {
        long elements = network.parameterCount();
        double fraction =
                switch (compression) {
                    case Compression.Threshold _ -> GUESSED_FRACTION;
                    case Compression.AdaptiveThreshold(double sent, var _) -> sent;
                    case Compression.TopK(double sent, var _) -> sent;
                    case Compression.RandomK(double sent, var _) -> sent / ranks;
                    case Compression.SampledRows rows ->
                            sampled(network, rows, samples) / ((double) VALUE_BYTES * elements);
                    case Compression.Qsgd _, Compression.Sign _, Compression.PowerSgd _ -> 1;
                    case Compression.None _ -> 1;
                };
        return compression instanceof Compression.None
                ? exact((double) VALUE_BYTES * elements)
                : guessed(sparse(elements, 1 - Math.pow(1 - fraction, ranks)));
    }

    private static FrameSize exact(double bytes) {
        return new FrameSize(bytes, false);
    }

    private static FrameSize guessed(double bytes) {
        return new FrameSize(bytes, true);
    }

    private static double sparse(long elements, double fraction) {
        double sent = Math.ceil(fraction * elements - ROUNDING);
        double list = VALUE_BYTES * sent;
        double bitmap = Math.ceil((double) elements / Byte.SIZE);
        double gaps = VALUE_BYTES + sent * gapBytes(fraction);
        return VALUE_BYTES * sent + Math.min(list, Math.min(bitmap, gaps));
    }

    private static double gapBytes(double fraction) {
        double bytes = 1;
        for (int bits = 7; bits < Integer.SIZE; bits += 7) {
            bytes += Math.pow(1 - fraction, Math.scalb(1.0, bits));
        }
        return bytes;
    }

    private static double quantized(long elements, Compression.Qsgd qsgd) {
        long full = elements / qsgd.bucket();
        long rest = elements % qsgd.bucket();
        return (double) full * bucket(qsgd.bucket(), qsgd.bits())
                + (rest == 0 ? 0 : bucket(rest, qsgd.bits()));
    }

    private static double bucket(long elements, int bits) {
        return VALUE_BYTES + Math.ceil((double) elements * bits / Byte.SIZE);
    }

    private static List<Stage> learning(Architecture network) {
        return network.stages().stream().filter(stage -> stage.units() > 0).toList();
    }

    private static double signs(Stage stage) {
        return VALUE_BYTES + Math.ceil((stage.weights() + stage.biases()) / (double) Byte.SIZE);
    }

    /** Bytes of two factors for a layer's weights, and of its uncompressed biases. */
    private static double factors(Stage stage, int rank) {
        int thin = Math.min(rank, Math.min(stage.fanIn(), stage.units()));
        return VALUE_BYTES * ((double) thin * (stage.fanIn() + stage.units()) + stage.biases());
    }

    /**
     * Bytes of the sampled rows: embedding rows of the touched words, columns of the output layer,
     * and some rows of each layer between.
     */
    private static double sampled(
            Architecture network, Compression.SampledRows rows, double samples) {
        List<Stage> stages = learning(network);
        if (!(network.input() instanceof Tokens(int length, int vocabulary))) {
            return (double) VALUE_BYTES * network.parameterCount();
        }
        double words = Math.min(vocabulary, GUESSED_DISTINCT * length * samples);
        double often = rows.frequent() * vocabulary;
        double scored = Math.min(vocabulary, words + often + rows.others() * (vocabulary - often));
        double sent = 0;
        for (Stage stage : stages) {
            double elements = (double) stage.weights() + stage.biases();
            if (stage.equals(stages.getFirst())) {
                sent += elements * words / vocabulary;
            } else if (stage.equals(stages.getLast())) {
                sent += elements * scored / vocabulary;
            } else {
                sent += elements * rows.hidden();
            }
        }
        return VALUE_BYTES * sent;
    }
}
