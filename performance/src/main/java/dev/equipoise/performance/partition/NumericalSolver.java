package dev.equipoise.performance.partition;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Numerical solver: Newton's method on t_1(x_1) = ... = t_P(x_P) = T, sum x_i = N (FuPerMod, Clarke
 * et al. 2013; docs/algorithms.md, section 7): T = (N - sum x_i + sum t_i / t_i') / sum 1 / t_i',
 * then x_i += (T - t_i) / t_i', clamped to [0, N]. The solver halves a step until it brings the
 * times closer together.
 */
final class NumericalSolver {

    /** Largest relative difference between the longest and the shortest time. */
    private static final double TOLERANCE = 1e-9;

    private static final int MAX_STEPS = 100;
    private static final int MAX_HALVES = 30;

    private final List<SpeedFunction> speeds;
    private final double total;

    private NumericalSolver(List<SpeedFunction> speeds, double total) {
        this.speeds = speeds;
        this.total = total;
    }

    /**
     * Finds sizes that take equal time on all ranks. If Newton's method stops early, at a kink or
     * on a flat stretch, the geometric solver computes the result.
     *
     * @param total units of work, more than 0
     * @return sizes in rank order, whose sum is about the total
     */
    static double[] shares(List<SpeedFunction> speeds, double total) {
        return new NumericalSolver(speeds, total).solve();
    }

    private double[] solve() {
        double[] shares = inProportionToSpeed();
        for (int step = 0; step < MAX_STEPS; step++) {
            double spread = spread(shares);
            if (spread <= TOLERANCE) {
                return shares;
            }
            Optional<double[]> next = closer(shares, newton(shares), spread);
            if (next.isEmpty()) {
                break;
            }
            shares = next.get();
        }
        return GeometricSolver.shares(speeds, total);
    }

    /** Starting point: shares in proportion to the speeds at equal shares. */
    private double[] inProportionToSpeed() {
        double equal = total / speeds.size();
        return scaled(speeds.stream().mapToDouble(speed -> equal / speed.seconds(equal)).toArray());
    }

    private double[] newton(double[] shares) {
        double[] slopes = new double[shares.length];
        double reachable = total;
        double perSecond = 0;
        for (int i = 0; i < shares.length; i++) {
            slopes[i] = Math.max(speeds.get(i).slope(shares[i]), Double.MIN_NORMAL);
            reachable += speeds.get(i).seconds(shares[i]) / slopes[i] - shares[i];
            perSecond += 1 / slopes[i];
        }
        double time = reachable / perSecond;
        double[] next = new double[shares.length];
        for (int i = 0; i < shares.length; i++) {
            double moved = shares[i] + (time - speeds.get(i).seconds(shares[i])) / slopes[i];
            next[i] = Math.clamp(moved, 0, total);
        }
        return scaled(next);
    }

    /** Halves the step until it reduces the spread; empty after {@link #MAX_HALVES} attempts. */
    private Optional<double[]> closer(double[] from, double[] to, double spread) {
        double part = 1;
        for (int half = 0; half < MAX_HALVES; half++) {
            double step = part;
            double[] next =
                    IntStream.range(0, from.length)
                            .mapToDouble(i -> from[i] + step * (to[i] - from[i]))
                            .toArray();
            if (spread(next) < spread) {
                return Optional.of(next);
            }
            part /= 2;
        }
        return Optional.empty();
    }

    private double spread(double[] shares) {
        double[] seconds =
                IntStream.range(0, shares.length)
                        .mapToDouble(i -> speeds.get(i).seconds(shares[i]))
                        .toArray();
        double longest = Arrays.stream(seconds).max().orElseThrow();
        return (longest - Arrays.stream(seconds).min().orElseThrow()) / longest;
    }

    private double[] scaled(double[] shares) {
        double sum = DoubleStream.of(shares).sum();
        return DoubleStream.of(shares).map(it -> it / sum * total).toArray();
    }
}
