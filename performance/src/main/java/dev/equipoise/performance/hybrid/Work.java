package dev.equipoise.performance.hybrid;

/**
 * What one processor computes for a sample, in multiplications with an addition: M and N of the
 * equations, at capability 1 and c = 1.
 *
 * @param forward up to the sums of the outputs over the members of a group
 * @param backward all that comes behind them
 */
public record Work(double forward, double backward) {

    /**
     * Of a processor that has some of the hidden units.
     *
     * @param units m_j
     */
    public static Work of(Perceptron perceptron, int units) {
        double perUnit = 1 + 2.0 * perceptron.outputs() + perceptron.inputs();
        return new Work(
                (double) units * (perceptron.weightsOfUnit() + Costs.SIGMOID),
                perceptron.outputs() * (2.0 + Costs.SIGMOID) + units * perUnit);
    }

    /** As parts of what a processor computes that has all hidden units. */
    public static Work share(Perceptron perceptron, int units) {
        double whole = of(perceptron, perceptron.hidden()).both();
        Work part = of(perceptron, units);
        return new Work(part.forward / whole, part.backward / whole);
    }

    double both() {
        return forward + backward;
    }
}
