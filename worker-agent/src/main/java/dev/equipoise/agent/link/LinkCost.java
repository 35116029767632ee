package dev.equipoise.agent.link;

import java.util.List;

/**
 * What messages over one link take: alpha + beta m seconds for m bytes (Hockney 1994).
 *
 * @param alpha seconds that a message takes whatever its length
 * @param beta seconds a byte
 * @param relativeError root mean square of what the measured times differ from this, each relative
 *     to this; 0 where they lie on the line
 */
public record LinkCost(double alpha, double beta, double relativeError) {

    public LinkCost {
        requireCost("alpha", alpha);
        requireCost("beta", beta);
        requireCost("the relative error", relativeError);
    }

    private static void requireCost(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "%s must be finite and not negative, but was %s".formatted(name, value));
        }
    }

    /**
     * The line through samples by weighted least squares, to which small and large messages count
     * alike: relative errors are least, not absolute ones. Neither cost is negative: where one
     * would be, it is 0 and the other is fitted alone.
     *
     * @throws IllegalArgumentException when the samples are of fewer than two sizes
     */
    static LinkCost fit(List<LinkSample> samples) {
        return LineFit.cost(samples);
    }

    /** Of one message. */
    public double seconds(long bytes) {
        return alpha + beta * bytes;
    }

    /** What messages without end would reach; infinite where beta is 0. */
    public double bytesPerSecond() {
        return 1 / beta;
    }
}
