package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.GradientPart;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.protocol.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Creates the codec of a plan. */
final class Codecs {

    private Codecs() {}

    /**
     * Returns a codec for vectors as long as the weights.
     *
     * @throws IllegalArgumentException when the plan has no compression, or one that is no codec
     */
    static Codec of(Compression compression, RankContext context) {
        return switch (compression) {
            case Compression.Threshold(double threshold, var _) ->
                    Codec.threshold((float) threshold);
            case Compression.AdaptiveThreshold(double fraction, var _) ->
                    Codec.adaptiveThreshold(fraction);
            case Compression.TopK(double fraction, var _) -> Codec.topK(fraction);
            case Compression.RandomK(double fraction, boolean hasErrorFeedback) ->
                    Codec.randomK(fraction, !hasErrorFeedback);
            case Compression.Qsgd(int bits, int bucket, var _) -> Codec.qsgd(bits, bucket);
            case Compression.Sign _ -> Codec.sign(lengths(context.blocks()));
            case Compression.SampledRows settings ->
                    Codec.sampledRows(new SampledMatrices(settings, context).all());
            case Compression.None _, Compression.PowerSgd _ ->
                    throw new IllegalArgumentException(compression + " is no codec for vectors");
        };
    }

    private static List<Integer> lengths(List<ParameterBlock> blocks) {
        return blocks.stream().map(ParameterBlock::length).toList();
    }

    /** Returns the matrices and biases of all layers. */
    static List<GradientPart> parts(List<ParameterBlock> blocks) {
        List<GradientPart> parts = new ArrayList<>();
        for (ParameterBlock block : blocks) {
            Stream.of(
                            new GradientPart.Matrix(block.rows(), block.columns()),
                            new GradientPart.Plain(block.biases()))
                    .forEach(parts::add);
        }
        return parts;
    }
}
