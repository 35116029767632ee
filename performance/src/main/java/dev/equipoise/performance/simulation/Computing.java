package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Noise.Failures;
import dev.equipoise.performance.simulation.Noise.SlowDowns;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws the computing time of each round of each replica, with noise. The same seed gives the same
 * times.
 */
final class Computing {

    private final Scenario scenario;
    private final SplittableRandom[] random;
    private final boolean[] isSlow;
    private final double[] untilFailure;
    private final double[] spent;

    Computing(Scenario scenario, long seed) {
        this.scenario = scenario;
        int replicas = scenario.replicas();
        this.random = new SplittableRandom[replicas];
        this.isSlow = new boolean[replicas];
        this.untilFailure = new double[replicas];
        this.spent = new double[replicas];
        var seeds = new SplittableRandom(seed);
        Arrays.setAll(random, _ -> seeds.split());
        Arrays.setAll(untilFailure, this::nextFailure);
    }

    /** Draws the seconds of the replica's next round, with repairs. */
    double next(int replica) {
        double seconds =
                scenario.computeSeconds().get(replica) * jitter(replica) * slowness(replica);
        spent[replica] += seconds;
        return seconds + repairs(replica, seconds);
    }

    /** Returns the seconds that a replica has computed so far, without repairs. */
    double spent(int replica) {
        return spent[replica];
    }

    /** Draws a log-normal factor with the mean 1. */
    private double jitter(int replica) {
        double sigma = scenario.noise().jitter();
        return sigma == 0
                ? 1
                : Math.exp(sigma * random[replica].nextGaussian() - sigma * sigma / 2);
    }

    private double slowness(int replica) {
        SlowDowns slowDowns = scenario.noise().slowDowns();
        if (slowDowns.entering() == 0) {
            return 1;
        }
        double switching = isSlow[replica] ? slowDowns.leaving() : slowDowns.entering();
        if (random[replica].nextDouble() < switching) {
            isSlow[replica] = !isSlow[replica];
        }
        return isSlow[replica] ? slowDowns.factor() : 1;
    }

    private double repairs(int replica, double seconds) {
        double repairs = 0;
        untilFailure[replica] -= seconds;
        while (untilFailure[replica] < 0) {
            repairs += scenario.noise().failures().repairSeconds();
            untilFailure[replica] += nextFailure(replica);
        }
        return repairs;
    }

    private double nextFailure(int replica) {
        Failures failures = scenario.noise().failures();
        return Double.isInfinite(failures.meanSeconds())
                ? Double.POSITIVE_INFINITY
                : failures.meanSeconds() * random[replica].nextExponential();
    }
}
