package dev.equipoise.performance.hybrid;

/** Units of the three layers: n, m and l in the equations. */
public record Perceptron(int inputs, int hidden, int outputs) {

    public Perceptron {
        if (inputs < 1 || hidden < 1 || outputs < 1) {
            throw new IllegalArgumentException(
                    "a perceptron needs units in every layer, not %d, %d and %d"
                            .formatted(inputs, hidden, outputs));
        }
    }

    /** Weights of a hidden unit: n + l. */
    int weightsOfUnit() {
        return inputs + outputs;
    }
}
