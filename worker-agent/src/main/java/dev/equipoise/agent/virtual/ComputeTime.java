package dev.equipoise.agent.virtual;

import dev.equipoise.performance.partition.SpeedFunction;
import java.util.SplittableRandom;

/*
 * ALGORITHMS.md section 9.3: t = t(n) exp(sigma Z - sigma^2 / 2), Z standard normal, of which the mean
 * is t(n). Z is drawn by the polar method of Marsaglia and Bray (1964) from 64 bits of SplitMix64,
 * in strict arithmetic, so that the bits are the same on every machine.
 */
/**
 * How long a machine computes on a mini-batch.
 *
 * @param speed the time of a mini-batch over its samples, without noise
 * @param sigma of the logarithm of the time, at least 0; 0 gives the function exactly
 * @param seed of the run
 */
public record ComputeTime(SpeedFunction speed, double sigma, long seed) {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final double NANOS = 1e9;

    public ComputeTime {
        if (!(sigma >= 0) || Double.isInfinite(sigma)) {
            throw new IllegalArgumentException(
                    "sigma must be finite and not negative, but was " + sigma);
        }
    }

    /** As many samples in any second, without noise. */
    public static ComputeTime ofRate(double samplesPerSecond) {
        return new ComputeTime(SpeedFunction.constant(samplesPerSecond), 0, 0);
    }

    /** Slower by a factor, greater than 0. */
    public ComputeTime slowedDown(double factor) {
        return new ComputeTime(speed.slowedBy(factor), sigma, seed);
    }

    /** With noise. */
    public ComputeTime withNoise(double newSigma, long newSeed) {
        return new ComputeTime(speed, newSigma, newSeed);
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
        double seconds = batches * speed.seconds((double) samples / batches);
        return Math.round(seconds * noise(rank, draw) * NANOS);
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
