package dev.equipoise.performance.hybrid;

/**
 * Seconds of an all-reduce of d numbers: {@code perNumber * d + fixed} (k and h;
 * docs/algorithms.md, section 8).
 */
record AllReduceCost(double perNumber, double fixed) {

    /** Cost for a single process, which exchanges nothing. */
    public static final AllReduceCost NONE = new AllReduceCost(0, 0);

    double seconds(double numbers) {
        return perNumber * numbers + fixed;
    }
}
