package dev.equipoise.agent.network;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;

/**
 * A layer in its place. Its parameters begin at {@code offset} of the flat vector: a row-major
 * matrix of weights, {@code fanIn} rows by {@code units} columns, and then one bias a unit, so that
 * both together are one matrix of {@code fanIn + 1} rows. The rows of a convolution run over the
 * filter's height, its width and the input's channels.
 */
record Stage(Layer layer, Shape input, Shape output, int offset) {

    int fanIn() {
        return switch (layer) {
            case Convolution(_, int kernel) -> kernel * kernel * input.channels();
            case Dense _ -> input.size();
            case Relu _, MaxPool _ -> 0;
        };
    }

    /** How many weighted sums share the input; 0 where nothing is learnt. */
    int units() {
        return switch (layer) {
            case Convolution(int filters, _) -> filters;
            case Dense(int units) -> units;
            case Relu _, MaxPool _ -> 0;
        };
    }

    int weights() {
        return Math.multiplyExact(fanIn(), units());
    }

    /** Where the next layer's parameters begin. */
    int end() {
        return Math.addExact(offset, Math.addExact(weights(), units()));
    }
}
