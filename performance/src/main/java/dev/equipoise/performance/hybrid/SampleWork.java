package dev.equipoise.performance.hybrid;

/**
 * Work of one processor for a sample, in multiplications with an addition: M and N of
 * docs/algorithms.md, section 8, at capability 1 and c = 1.
 *
 * @param forward up to the all-reduce of the outputs within a group
 * @param backward everything after it
 */
public record SampleWork(double forward, double backward) {

    /**
     * Computes the work of a processor with some hidden units, at the assumed cost of a sigmoid.
     *
     * @param units m_j
     */
    public static SampleWork of(Perceptron perceptron, int units) {
        return of(perceptron, units, Costs.SIGMOID);
    }

    /**
     * Computes the work of a processor with some hidden units.
     *
     * @param units m_j
     * @param sigmoid cost of a sigmoid, in multiplications with an addition
     */
    static SampleWork of(Perceptron perceptron, int units, double sigmoid) {
        double perUnit = 1 + 2.0 * perceptron.outputs() + perceptron.inputs();
        return new SampleWork(
                (double) units * (perceptron.weightsOfUnit() + sigmoid),
                perceptron.outputs() * (2.0 + sigmoid) + units * perUnit);
    }

    /** Computes the work of a processor relative to the whole work of one with all hidden units. */
    public static SampleWork share(Perceptron perceptron, int units) {
        double whole = of(perceptron, perceptron.hidden()).both();
        SampleWork part = of(perceptron, units);
        return new SampleWork(part.forward / whole, part.backward / whole);
    }

    double both() {
        return forward + backward;
    }
}
