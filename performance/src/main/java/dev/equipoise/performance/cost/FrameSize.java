package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape.Tokens;
import dev.equipoise.protocol.network.Stage;
import java.util.List;

/*
 * The payloads of docs/codecs.md. Sparse frames hold a value and an index for each element sent; of
 * the three codings of indices the shortest is taken. In the third each index is the number of
 * elements left out before it, in seven bits a byte: where a fraction f is sent, a gap is n or more
 * with probability (1 - f)^n, so that an index takes 1 + (1 - f)^(2^7) + (1 - f)^(2^14) + ... bytes.
 */

/**
 * How long a vector as long as a network's parameters is on its way.
 *
 * @param bytes of one frame, without its header
 * @param isGuessed whether it depends on values that nobody knows before
 */
public record FrameSize(double bytes, boolean isGuessed) {

    /** Of the elements, above a threshold of which nothing else is known. */
    static final double GUESSED_FRACTION = 0.05;

    /** Distinct words among those of a mini-batch: text repeats itself. */
    static final double GUESSED_DISTINCT = 0.5;

    /** A fraction that was computed may be off by less than an element. */
    private static final double ROUNDING = 1e-6;

    private static final int VALUE_BYTES = Float.BYTES;

    /**
     * Of the parameters of a network.
     *
     * @param samples of the mini-batches whose words travel, of language models
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
            case Compression.Qsgd qsgd -> exact(quantised(elements, qsgd));
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
     * What a server answers that has summed frames, where these are coded: the elements that are
     * not zero in the sum.
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

    private static double quantised(long elements, Compression.Qsgd qsgd) {
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

    /** Two thin matrices for a layer's weights; biases as they are. */
    private static double factors(Stage stage, int rank) {
        int thin = Math.min(rank, Math.min(stage.fanIn(), stage.units()));
        return VALUE_BYTES * ((double) thin * (stage.fanIn() + stage.units()) + stage.biases());
    }

    /** The rows of an embedding's words, columns of the scores', and some rows of all between. */
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
