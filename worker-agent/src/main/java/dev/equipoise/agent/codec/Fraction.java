package dev.equipoise.agent.codec;

/**
 * A fraction of a number of elements.
 *
 * @param value above 0, at most 1
 */
record Fraction(double value) {

    private static final double ROUNDING = 1 - 0x1p-50;

    public Fraction {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(
                    "the fraction must be above 0 and at most 1, but was " + value);
        }
    }

    /**
     * Returns ceil(value elements), corrected for products that rounding put just above an integer.
     */
    int of(int elements) {
        return (int) Math.ceil(value * elements * ROUNDING);
    }
}
