package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Part;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.protocol.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes the codec that a plan asks for. */
final class Codecs {

    private Codecs() {}

    /**
     * A codec for vectors as long as the weights.
     *
     * @throws IllegalArgumentException where the plan has no compression, or one that is no codec
     */
    static Codec of(Compression compression, Participant participant) {
        return switch (compression) {
            case Compression.Threshold(double threshold, var _) ->
                    Codec.threshold((float) threshold);
            case Compression.AdaptiveThreshold(double fraction, var _) ->
                    Codec.adaptiveThreshold(fraction);
            case Compression.TopK(double fraction, var _) -> Codec.topK(fraction);
            case Compression.RandomK(double fraction, boolean keeps) ->
                    Codec.randomK(fraction, !keeps);
            case Compression.Qsgd(int bits, int bucket, var _) -> Codec.qsgd(bits, bucket);
            case Compression.Sign _ -> Codec.sign(lengths(participant.blocks()));
            case Compression.SampledRows settings ->
                    Codec.sampledRows(new SampledMatrices(settings, participant).all());
            case Compression.None _, Compression.PowerSgd _ ->
                    throw new IllegalArgumentException(compression + " is no codec of vectors");
        };
    }

    private static List<Integer> lengths(List<ParameterBlock> blocks) {
        return blocks.stream().map(ParameterBlock::length).toList();
    }

    /** The matrices of all layers, and their biases. */
    static List<Part> parts(List<ParameterBlock> blocks) {
        List<Part> parts = new ArrayList<>();
        for (ParameterBlock block : blocks) {
            Stream.of(
                            new Part.Matrix(block.rows(), block.columns()),
                            new Part.Plain(block.biases()))
                    .forEach(parts::add);
        }
        return parts;
    }
}
