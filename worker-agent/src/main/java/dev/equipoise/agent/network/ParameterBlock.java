package dev.equipoise.agent.network;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Stage;
import java.util.List;

/**
 * A layer's part of the flat vectors: a row-major matrix of weights and, behind it, the biases.
 *
 * @param layer its index in the architecture
 * @param offset of its first parameter, in floats
 * @param rows of the matrix; those of an embedding are words
 * @param columns of the matrix
 * @param biases 0 or one a column
 */
public record ParameterBlock(int layer, int offset, int rows, int columns, int biases) {

    static List<ParameterBlock> of(Architecture architecture) {
        return architecture.stages().stream()
                .filter(stage -> stage.units() > 0)
                .map(ParameterBlock::of)
                .toList();
    }

    private static ParameterBlock of(Stage stage) {
        return new ParameterBlock(
                stage.index(), stage.offset(), stage.fanIn(), stage.units(), stage.biases());
    }

    /** Floats of weights and biases. */
    public int length() {
        return rows * columns + biases;
    }
}
