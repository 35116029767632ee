package dev.equipoise.performance.hybrid;

import dev.equipoise.protocol.network.Architecture;
import java.util.Optional;

/** Units of the three layers: n, m and l in the equations. */
public record Perceptron(int inputs, int hidden, int outputs) {

    public Perceptron {
        if (inputs < 1 || hidden < 1 || outputs < 1) {
            throw new IllegalArgumentException(
                    "a perceptron needs units in every layer, not %d, %d and %d"
                            .formatted(inputs, hidden, outputs));
        }
    }

    /** Empty where the network is none with one hidden layer of sigmoids. */
    public static Optional<Perceptron> of(Architecture network) {
        return network.sigmoidUnits().stream()
                .mapToObj(
                        hidden -> new Perceptron(network.input().size(), hidden, network.scores()))
                .findFirst();
    }

    /** Weights of a hidden unit: n + l. */
    int weightsOfUnit() {
        return inputs + outputs;
    }
}
