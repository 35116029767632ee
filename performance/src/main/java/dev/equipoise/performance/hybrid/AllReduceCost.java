package dev.equipoise.performance.hybrid;

/** What an all-reduce takes: {@code perNumber * d + fixed} seconds for d numbers (k and h). */
public record AllReduceCost(double perNumber, double fixed) {

    /** Of one process, which has nobody to tell. */
    public static final AllReduceCost NONE = new AllReduceCost(0, 0);

    double seconds(double numbers) {
        return perNumber * numbers + fixed;
    }
}
