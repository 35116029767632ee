package dev.equipoise.protocol.network;

import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Sequence;
import dev.equipoise.protocol.network.Shape.Tokens;

/**
 * A layer with its shapes and its range of the flat parameter vector. Its parameters begin at
 * {@code offset}: a row-major matrix of weights, {@code fanIn} rows by {@code units} columns,
 * followed by one bias per column, so that both form one matrix of {@code fanIn + 1} rows.
 *
 * <p>The rows of a convolution run over the filter's height, its width and the input's channels.
 * The rows of an embedding run over the words, without biases. The rows of a recurrent layer run
 * over the input's features and then over the units of the previous step. The columns of an LSTM
 * run over the gates (input, forget, cell, output) and within a gate over the units.
 *
 * @param index of the layer in its architecture, from 0
 */
public record Stage(int index, Layer layer, Shape input, Shape output, int offset) {

    private static final int LSTM_GATES = 4;

    /** Returns the number of rows of weights; 0 for layers without parameters. */
    public int fanIn() {
        return switch (layer) {
            case Convolution convolution ->
                    Sizes.product(convolution.kernel(), convolution.kernel(), features());
            case Dense _ -> features();
            case Embedding _ -> vocabulary();
            case Rnn(int units) -> Sizes.sum(features(), units);
            case Lstm(int units) -> Sizes.sum(features(), units);
            default -> 0;
        };
    }

    /** Returns the number of columns of weights; 0 for layers without parameters. */
    public int units() {
        return switch (layer) {
            case Convolution convolution -> convolution.filters();
            case Dense(int units) -> units;
            case Embedding(int features) -> features;
            case Rnn(int units) -> units;
            case Lstm(int units) -> Sizes.product(LSTM_GATES, units);
            default -> 0;
        };
    }

    public int weights() {
        return Sizes.product(fanIn(), units());
    }

    public int biases() {
        return layer instanceof Embedding ? 0 : units();
    }

    /** Returns the offset of the next layer's parameters. */
    public int end() {
        return Sizes.sum(offset, Sizes.sum(weights(), biases()));
    }

    /** Returns the channels of a pixel, the features of a position, or the length of a vector. */
    public int features() {
        return switch (input) {
            case Image image -> image.channels();
            case Sequence sequence -> sequence.features();
            case Shape.Vector vector -> vector.length();
            case Tokens _ -> 1;
        };
    }

    private int vocabulary() {
        return input instanceof Tokens tokens ? tokens.vocabulary() : 0;
    }
}
