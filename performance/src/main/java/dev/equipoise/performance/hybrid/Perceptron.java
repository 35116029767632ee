package dev.equipoise.performance.hybrid;

import dev.equipoise.protocol.network.Architecture;
import java.util.Optional;

/** A perceptron with one hidden layer, by the units of its three layers: n, m and l. */
public record Perceptron(int inputs, int hidden, int outputs) {

    public Perceptron {
        if (inputs < 1 || hidden < 1 || outputs < 1) {
            throw new IllegalArgumentException(
                    "a perceptron of %d, %d and %d units is out of range: at least 1 a layer"
                            .formatted(inputs, hidden, outputs));
        }
    }

    /**
     * Returns the perceptron of a network; empty unless the network has one hidden layer of
     * sigmoids.
     */
    public static Optional<Perceptron> of(Architecture network) {
        return network.sigmoidUnits().stream()
                .mapToObj(
                        hidden -> new Perceptron(network.input().size(), hidden, network.scores()))
                .findFirst();
    }

    /** Returns the number of weights of a hidden unit: n + l. */
    int weightsOfUnit() {
        return inputs + outputs;
    }
}
