package dev.equipoise.performance.hybrid;

/**
 * What a processor of capability 1 takes, in seconds.
 *
 * @param multiplyAdd c, for a multiplication and an addition
 * @param sigmoid g
 */
public record Costs(double multiplyAdd, double sigmoid) {

    /** What a sigmoid is taken for, in multiplications with an addition. */
    public static final int SIGMOID = 10;

    public Costs {
        if (!(multiplyAdd > 0) || !(sigmoid >= 0)) {
            throw new IllegalArgumentException(
                    "costs must be positive, but are %s and %s".formatted(multiplyAdd, sigmoid));
        }
    }

    /**
     * Of a processor that trains the whole perceptron at a known speed. How much of that are
     * sigmoids is not measured but assumed: {@link #SIGMOID} multiplications and additions each.
     *
     * @param secondsPerSample forward and backward
     */
    public static Costs of(Perceptron perceptron, double secondsPerSample) {
        double multiplyAdd = secondsPerSample / Work.of(perceptron, perceptron.hidden()).both();
        return new Costs(multiplyAdd, SIGMOID * multiplyAdd);
    }
}
