package dev.equipoise.agent.link;

import java.util.List;

/**
 * Cost of a link by the Hockney model: alpha + beta m seconds for m bytes (Hockney 1994;
 * docs/algorithms.md, section 3.2).
 *
 * @param alpha latency of a message, in seconds
 * @param beta seconds per byte
 * @param relativeError root mean square of the relative differences between measured times and the
 *     model; 0 if all lie on the line
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
     * Fits the model to samples by weighted least squares of the relative errors, so that small and
     * large messages count alike. Neither cost is negative: where one would be, it is 0 and the
     * other is fitted alone.
     *
     * @throws IllegalArgumentException when the samples have fewer than two sizes
     */
    static LinkCost fit(List<LinkSample> samples) {
        return LineFit.cost(samples);
    }

    /** Returns the time of one message. */
    public double seconds(long bytes) {
        return alpha + beta * bytes;
    }

    /** Returns the bandwidth of infinitely long messages; infinite if beta is 0. */
    public double bytesPerSecond() {
        return 1 / beta;
    }
}
