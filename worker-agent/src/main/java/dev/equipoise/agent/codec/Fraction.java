package dev.equipoise.agent.codec;

/**
 * A share of something that is counted.
 *
 * @param value above 0, at most 1
 */
record Fraction(double value) {

    private static final double ROUNDING = 1 - 0x1p-50;

    /** Refuses what is no share. */
    public Fraction {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(
                    "the fraction must be above 0 and at most 1, but was " + value);
        }
    }

    /** ceil(value elements), where a product that rounding put above an integer is that integer. */
    int of(int elements) {
        return (int) Math.ceil(value * elements * ROUNDING);
    }
}
