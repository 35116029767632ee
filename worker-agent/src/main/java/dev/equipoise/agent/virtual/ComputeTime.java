package dev.equipoise.agent.virtual;

import java.util.List;
import java.util.SplittableRandom;

/*
 * ALGORITHMS.md section 9.3: t = t(n) exp(sigma Z - sigma^2 / 2), Z standard normal, of which the mean
 * is t(n). The function is that of the functional performance model (Lastovetsky and Reddy 2007):
 * piecewise linear through measured points, from t(0) = 0 to the first, with the last slope beyond
 * the last, or where that is none, as after adjacent violators were pooled, with the mean speed there. Z is drawn by the polar method of Marsaglia and Bray (1964) from 64 bits of SplitMix64,
 * in strict arithmetic, so that the bits are the same on every machine.
 */
/**
 * How long a machine computes on a mini-batch.
 *
 * @param points of the time function, ascending in size, at least one
 * @param slowDown a factor, greater than 0; 1 for none
 * @param sigma of the logarithm of the time, at least 0; 0 gives the function exactly
 * @param seed of the run
 */
public record ComputeTime(List<Point> points, double slowDown, double sigma, long seed) {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final double NANOS = 1e9;

    /**
     * A measured time.
     *
     * @param samples greater than 0
     * @param seconds greater than 0
     */
    public record Point(double samples, double seconds) {

        public Point {
            requirePositive("samples", samples);
            requirePositive("seconds", seconds);
        }
    }

    public ComputeTime {
        points = List.copyOf(points);
        requirePositive("the slow-down", slowDown);
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a time function has at least one point");
        }
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).samples() <= points.get(i - 1).samples()) {
                throw new IllegalArgumentException(
                        "the points must ascend in samples, but were " + points);
            }
        }
        if (!(sigma >= 0) || Double.isInfinite(sigma)) {
            throw new IllegalArgumentException(
                    "sigma must be finite and not negative, but was " + sigma);
        }
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "%s must be positive and finite, but was %s".formatted(name, value));
        }
    }

    /** As many samples in any second, without noise. */
    public static ComputeTime ofRate(double samplesPerSecond) {
        return new ComputeTime(List.of(new Point(samplesPerSecond, 1)), 1, 0, 0);
    }

    /** Slower by a factor. */
    public ComputeTime slowedDown(double factor) {
        return new ComputeTime(points, slowDown * factor, sigma, seed);
    }

    /** With noise. */
    public ComputeTime withNoise(double newSigma, long newSeed) {
        return new ComputeTime(points, slowDown, newSigma, newSeed);
    }

    /**
     * The virtual nanoseconds of one mini-batch.
     *
     * @param samples at least 0
     * @param rank whose draws are its own
     * @param draw how many times the rank has asked before; the same again gives the same
     */
    public long nanos(int samples, int rank, long draw) {
        return nanos(samples, 1, rank, draw);
    }

    /**
     * The virtual nanoseconds of mini-batches one after the other, to be charged when they are
     * computed.
     *
     * @param samples of them together, at least 0
     * @param batches into which they are cut, as even as can be
     * @param rank whose draws are its own
     * @param draw how many times the rank has asked before; the same again gives the same
     */
    public long nanos(int samples, int batches, int rank, long draw) {
        double seconds = batches * seconds((double) samples / batches);
        return Math.round(seconds * slowDown * noise(rank, draw) * NANOS);
    }

    /** On the first segment that ends at so many samples or beyond, else on the last. */
    private double seconds(double samples) {
        int end = 0;
        while (end < points.size() - 1 && points.get(end).samples() < samples) {
            end++;
        }
        double toSamples = points.get(end).samples();
        double toSeconds = points.get(end).seconds();
        double fromSamples = end == 0 ? 0 : points.get(end - 1).samples();
        double fromSeconds = end == 0 ? 0 : points.get(end - 1).seconds();
        double slope = (toSeconds - fromSeconds) / (toSamples - fromSamples);
        if (slope == 0 && samples > toSamples) {
            return toSeconds / toSamples * samples;
        }
        return Math.max(0, toSeconds + slope * (samples - toSamples));
    }

    private double noise(int rank, long draw) {
        return sigma == 0 ? 1 : StrictMath.exp(sigma * normal(rank, draw) - sigma * sigma / 2);
    }

    private double normal(int rank, long draw) {
        long ofRank = new SplittableRandom(seed + rank * GOLDEN_GAMMA).nextLong();
        return normal(new SplittableRandom(ofRank + draw));
    }

    private static double normal(SplittableRandom random) {
        while (true) {
            double x = uniform(random);
            double y = uniform(random);
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                return x * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
            }
        }
    }

    /** In [-1, 1). */
    private static double uniform(SplittableRandom random) {
        return (random.nextLong() >> 11) * 0x1p-52;
    }
}
