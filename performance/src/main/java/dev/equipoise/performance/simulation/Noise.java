package dev.equipoise.performance.simulation;

/**
 * What makes a round last longer than it should.
 *
 * @param jitter standard deviation of the logarithm of a round's computing time, whose mean stays
 * @param slowDowns that come and go
 * @param failures after which a replica is gone for a while
 */
public record Noise(double jitter, SlowDowns slowDowns, Failures failures) {

    public static final Noise NONE = of(0);

    public Noise {
        if (!(jitter >= 0)) {
            throw new IllegalArgumentException("jitter must not be negative, but is " + jitter);
        }
    }

    /** Jitter alone. */
    public static Noise of(double jitter) {
        return new Noise(jitter, SlowDowns.NONE, Failures.NONE);
    }

    /**
     * A replica is slow for a while, on the mean 1 / leaving rounds.
     *
     * @param entering probability, each round, that a replica becomes slow
     * @param leaving probability, each round, that it is slow no more
     * @param factor by which it computes longer then
     */
    public record SlowDowns(double entering, double leaving, double factor) {

        public static final SlowDowns NONE = new SlowDowns(0, 1, 1);

        public SlowDowns {
            if (!(entering >= 0 && entering <= 1)
                    || !(leaving > 0 && leaving <= 1)
                    || !(factor >= 1)) {
                throw new IllegalArgumentException(
                        "slow-downs by %s that come with %s and go with %s are not possible"
                                .formatted(factor, entering, leaving));
            }
        }
    }

    /**
     * A replica fails, and is back where it was.
     *
     * @param meanSeconds of computing between two failures of a replica; infinite for none
     * @param repairSeconds until it goes on
     */
    public record Failures(double meanSeconds, double repairSeconds) {

        public static final Failures NONE = new Failures(Double.POSITIVE_INFINITY, 0);

        public Failures {
            if (!(meanSeconds > 0) || !(repairSeconds >= 0)) {
                throw new IllegalArgumentException(
                        "failures every %s s that take %s s are not possible"
                                .formatted(meanSeconds, repairSeconds));
            }
        }
    }
}
