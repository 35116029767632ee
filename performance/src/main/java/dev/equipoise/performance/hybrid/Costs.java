package dev.equipoise.performance.hybrid;

/**
 * Operation costs of a processor of capability 1, in seconds (docs/algorithms.md, section 8).
 *
 * @param multiplyAdd c, a multiplication and an addition
 * @param sigmoid g, a sigmoid
 */
public record Costs(double multiplyAdd, double sigmoid) {

    /**
     * Assumed cost of a sigmoid, in multiplications with an addition, where none is measured: on a
     * virtual clock, and by agents of earlier versions.
     */
    public static final int SIGMOID = 10;

    /**
     * Largest fraction of the time of a sample that measured sigmoids may take. They are measured
     * apart from the training step, and some time must remain for the multiplications.
     */
    private static final double MAX_SIGMOIDS = 0.9;

    public Costs {
        if (!(multiplyAdd > 0) || !(sigmoid >= 0)) {
            throw new IllegalArgumentException(
                    ("costs of %s s for a multiplication with an addition and %s s for a sigmoid"
                                    + " are out of range: more than 0 and at least 0")
                            .formatted(multiplyAdd, sigmoid));
        }
    }

    /**
     * Derives the costs from the measured speed of the whole perceptron and the assumed cost of a
     * sigmoid, {@link #SIGMOID}.
     *
     * @param secondsPerSample forward and backward
     */
    public static Costs of(Perceptron perceptron, double secondsPerSample) {
        double multiplyAdd =
                secondsPerSample / SampleWork.of(perceptron, perceptron.hidden()).both();
        return new Costs(multiplyAdd, SIGMOID * multiplyAdd);
    }

    /**
     * Derives the costs from the measured speeds of the whole perceptron and of its sigmoids: the
     * multiplications take what the sigmoids leave.
     *
     * @param secondsPerSample forward and backward
     * @param sigmoid seconds of a sigmoid, more than 0
     */
    public static Costs of(Perceptron perceptron, double secondsPerSample, double sigmoid) {
        int sigmoids = perceptron.hidden() + perceptron.outputs();
        double ofSigmoid = Math.min(sigmoid, MAX_SIGMOIDS * secondsPerSample / sigmoids);
        return new Costs(
                (secondsPerSample - sigmoids * ofSigmoid)
                        / SampleWork.of(perceptron, perceptron.hidden(), 0).both(),
                ofSigmoid);
    }

    /** Returns the cost of a sigmoid, in multiplications with an addition. */
    public double sigmoidInMultiplyAdds() {
        return sigmoid / multiplyAdd;
    }
}
