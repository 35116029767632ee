package dev.equipoise.performance.simulation;

/**
 * Random delays of rounds: jitter, slowdowns and failures.
 *
 * @param jitter standard deviation of the logarithm of a round's computing time, whose mean stays
 * @param slowDowns two-state Markov chain of each replica
 * @param failures of each replica, with repair times
 */
public record Noise(double jitter, SlowDowns slowDowns, Failures failures) {

    public static final Noise NONE = of(0);

    public Noise {
        if (!(jitter >= 0)) {
            throw new IllegalArgumentException(
                    "jitter %s is out of range: at least 0".formatted(jitter));
        }
    }

    /** Creates noise with jitter alone. */
    public static Noise of(double jitter) {
        return new Noise(jitter, SlowDowns.NONE, Failures.NONE);
    }

    /**
     * A replica is slow for 1 / leaving rounds on average.
     *
     * @param entering probability in each round that a replica becomes slow
     * @param leaving probability in each round that a slow replica recovers
     * @param factor by which a slow replica computes longer, at least 1
     */
    public record SlowDowns(double entering, double leaving, double factor) {

        public static final SlowDowns NONE = new SlowDowns(0, 1, 1);

        public SlowDowns {
            if (!(entering >= 0 && entering <= 1)
                    || !(leaving > 0 && leaving <= 1)
                    || !(factor >= 1)) {
                throw new IllegalArgumentException(
                        ("slowdowns by %s, entering %s and leaving %s, are out of range: a factor"
                                        + " of at least 1, entering 0 to 1, leaving above 0 to 1")
                                .formatted(factor, entering, leaving));
            }
        }
    }

    /**
     * A replica fails, is repaired and continues where it was.
     *
     * @param meanSeconds mean computing seconds between two failures of a replica; infinite for
     *     none
     * @param repairSeconds until the replica continues
     */
    public record Failures(double meanSeconds, double repairSeconds) {

        public static final Failures NONE = new Failures(Double.POSITIVE_INFINITY, 0);

        public Failures {
            if (!(meanSeconds > 0) || !(repairSeconds >= 0)) {
                throw new IllegalArgumentException(
                        ("failures every %s s with repairs of %s s are out of range: more than 0 s,"
                                        + " at least 0 s")
                                .formatted(meanSeconds, repairSeconds));
            }
        }
    }
}
