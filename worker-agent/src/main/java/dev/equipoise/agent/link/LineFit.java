package dev.equipoise.agent.link;

/*
 * Least squares of seconds = alpha + beta bytes with relative errors: with absolute ones, the
 * largest messages, which take 10^4 times as long as the smallest, would decide alone and leave
 * alpha to chance. A sample weighs 1 / (line^2 + spread^2), so that sizes whose times scatter count
 * less. The line in the weights is the previous fit (iteratively reweighted least squares; Carroll
 * and Ruppert, Transformation and weighting in regression, 1988, section 2.2): with measured times
 * in the weights, times that came out too low would count more, and where a link is slower for
 * large messages the line would end at half of their times. Sums are taken about the weighted
 * means, since sums of squared bytes would lose the digits that alpha needs.
 */

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Fits the Hockney model to link samples by weighted least squares. */
final class LineFit {

    /**
     * Number of iterations, after which six decimals are stable for samples that are off by up to a
     * factor of e.
     */
    private static final int ROUNDS = 100;

    private final List<LinkSample> samples;
    private final ToDoubleFunction<LinkSample> line;
    private final double meanBytes;
    private final double meanSeconds;

    /**
     * @param line times of the previous fit, in seconds, which set the weights
     */
    private LineFit(List<LinkSample> samples, ToDoubleFunction<LinkSample> line) {
        this.samples = samples;
        this.line = line;
        double weight = weighted(_ -> 1);
        this.meanBytes = weighted(LinkSample::bytes) / weight;
        this.meanSeconds = weighted(LinkSample::seconds) / weight;
    }

    /** Fits samples of at least two sizes. */
    static LinkCost cost(List<LinkSample> samples) {
        long sizes = samples.stream().mapToLong(LinkSample::bytes).distinct().count();
        if (sizes < 2) {
            throw new IllegalArgumentException(
                    "a line needs samples of at least two sizes, but they have " + sizes);
        }
        LinkCost cost = new LineFit(samples, LinkSample::seconds).cost();
        for (int round = 1; round < ROUNDS; round++) {
            LinkCost before = cost;
            cost = new LineFit(samples, sample -> before.seconds(sample.bytes())).cost();
        }
        return cost;
    }

    private LinkCost cost() {
        double beta = slope(meanBytes, meanSeconds);
        double alpha = meanSeconds - beta * meanBytes;
        if (beta < 0) {
            return cost(meanSeconds, 0);
        }
        if (alpha < 0) {
            return cost(0, slope(0, 0));
        }
        return cost(alpha, beta);
    }

    /** Returns the slope of the best line through a point. */
    private double slope(double bytes, double seconds) {
        double products =
                weighted(sample -> (sample.bytes() - bytes) * (sample.seconds() - seconds));
        double squares = weighted(sample -> Math.pow(sample.bytes() - bytes, 2));
        return products / squares;
    }

    private LinkCost cost(double alpha, double beta) {
        double squares =
                samples.stream()
                        .mapToDouble(sample ->
                                Math.pow(sample.seconds() / (alpha + beta * sample.bytes()) - 1, 2))
                        .sum();
        return new LinkCost(alpha, beta, Math.sqrt(squares / samples.size()));
    }

    private double weighted(ToDoubleFunction<LinkSample> value) {
        return samples.stream()
                .mapToDouble(sample -> weight(sample) * value.applyAsDouble(sample))
                .sum();
    }

    private double weight(LinkSample sample) {
        return 1 / (Math.pow(line.applyAsDouble(sample), 2) + Math.pow(sample.spread(), 2));
    }
}
