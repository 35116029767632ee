package dev.equipoise.agent.network;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Stage;
import java.util.List;

/**
 * Part of a layer in the flat parameter vector: a row-major matrix of weights, and the biases
 * behind it.
 *
 * @param layer index of the layer in the architecture
 * @param offset of the first parameter, in floats
 * @param rows of the matrix; words for an embedding
 * @param columns of the matrix
 * @param biases 0, or one for each column
 */
public record ParameterBlock(int layer, int offset, int rows, int columns, int biases) {

    /** Returns the place of each layer's parameters, for layers with parameters. */
    public static List<ParameterBlock> of(Architecture architecture) {
        return architecture.stages().stream()
                .filter(stage -> stage.units() > 0)
                .map(ParameterBlock::of)
                .toList();
    }

    private static ParameterBlock of(Stage stage) {
        return new ParameterBlock(
                stage.index(), stage.offset(), stage.fanIn(), stage.units(), stage.biases());
    }

    /** Returns the number of weights and biases. */
    public int length() {
        return rows * columns + biases;
    }
}
