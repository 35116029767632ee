package dev.equipoise.performance.hybrid;

/**
 * Operation costs of a processor of capability 1, in seconds (docs/algorithms.md, section 8).
 *
 * @param multiplyAdd c, a multiplication and an addition
 * @param sigmoid g, a sigmoid
 */
public record Costs(double multiplyAdd, double sigmoid) {

    /** Assumed cost of a sigmoid, in multiplications with an addition. */
    public static final int SIGMOID = 10;

    public Costs {
        if (!(multiplyAdd > 0) || !(sigmoid >= 0)) {
            throw new IllegalArgumentException(
                    ("costs of %s s for a multiplication with an addition and %s s for a sigmoid"
                                    + " are out of range: more than 0 and at least 0")
                            .formatted(multiplyAdd, sigmoid));
        }
    }

    /**
     * Derives the costs from the measured speed of the whole perceptron. The part of the sigmoids
     * is assumed, not measured: {@link #SIGMOID} multiplications with an addition each.
     *
     * @param secondsPerSample forward and backward
     */
    public static Costs of(Perceptron perceptron, double secondsPerSample) {
        double multiplyAdd =
                secondsPerSample / SampleWork.of(perceptron, perceptron.hidden()).both();
        return new Costs(multiplyAdd, SIGMOID * multiplyAdd);
    }
}
