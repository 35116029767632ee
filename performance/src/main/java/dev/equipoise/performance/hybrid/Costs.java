package dev.equipoise.performance.hybrid;

/**
 * What a processor of capability 1 takes, in seconds.
 *
 * @param multiplyAdd c, for a multiplication and an addition
 * @param sigmoid g
 */
public record Costs(double multiplyAdd, double sigmoid) {

    public Costs {
        if (!(multiplyAdd > 0) || !(sigmoid >= 0)) {
            throw new IllegalArgumentException(
                    "costs must be positive, but are %s and %s".formatted(multiplyAdd, sigmoid));
        }
    }
}
