package dev.equipoise.agent.virtual;

import dev.equipoise.performance.partition.SpeedFunction;
import java.util.SplittableRandom;

/*
 * docs/algorithms.md, section 9.3: t = t(n) exp(sigma Z - sigma^2 / 2) with standard normal Z, so
 * that the mean is t(n). Z is drawn by the polar method of Marsaglia and Bray (1964) from 64 bits
 * of SplitMix64, in strict arithmetic, so that the bits are equal on all hosts.
 */
/**
 * Models the computing time of a mini-batch on a host.
 *
 * @param speed the seconds of a mini-batch as a function of its samples, without jitter
 * @param sigma jitter: the standard deviation of the logarithm of the time, at least 0; 0 gives the
 *     function exactly
 * @param seed of the run
 */
public record ComputeTime(SpeedFunction speed, double sigma, long seed) {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final double NANOS_PER_SECOND = 1e9;

    public ComputeTime {
        if (!(sigma >= 0) || Double.isInfinite(sigma)) {
            throw new IllegalArgumentException(
                    "sigma must be finite and not negative, but was " + sigma);
        }
    }

    /** Returns a constant speed without jitter. */
    public static ComputeTime ofRate(double samplesPerSecond) {
        return new ComputeTime(SpeedFunction.constant(samplesPerSecond), 0, 0);
    }

    /** Returns a model that is slower by a factor, greater than 0. */
    public ComputeTime slowedDown(double factor) {
        return new ComputeTime(speed.slowedBy(factor), sigma, seed);
    }

    /** Returns a model with jitter. */
    public ComputeTime withNoise(double newSigma, long newSeed) {
        return new ComputeTime(speed, newSigma, newSeed);
    }

    /**
     * Returns the virtual nanoseconds of one mini-batch.
     *
     * @param samples at least 0
     * @param rank draws its own random numbers
     * @param draw number of earlier draws of the rank; equal numbers give equal times
     */
    public long nanos(int samples, int rank, long draw) {
        return nanos(samples, 1, rank, draw);
    }

    /**
     * Returns the virtual nanoseconds of consecutive mini-batches, to be charged when they are
     * computed.
     *
     * @param samples of all mini-batches together, at least 0
     * @param batches number of mini-batches, of equal size up to one sample
     * @param rank draws its own random numbers
     * @param draw number of earlier draws of the rank; equal numbers give equal times
     */
    public long nanos(int samples, int batches, int rank, long draw) {
        double seconds = batches * speed.seconds((double) samples / batches);
        return Math.round(seconds * noise(rank, draw) * NANOS_PER_SECOND);
    }

    private double noise(int rank, long draw) {
        return sigma == 0 ? 1 : StrictMath.exp(sigma * normal(rank, draw) - sigma * sigma / 2);
    }

    private double normal(int rank, long draw) {
        long rankSeed = new SplittableRandom(seed + rank * GOLDEN_GAMMA).nextLong();
        return normal(new SplittableRandom(rankSeed + draw));
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

    /** Draws a uniform number in [-1, 1). */
    private static double uniform(SplittableRandom random) {
        return (random.nextLong() >> 11) * 0x1p-52;
    }
}
