package dev.equipoise.app.compare;

import dev.equipoise.app.run.RunView;
import dev.equipoise.app.run.RunView.EpochView;
import dev.equipoise.app.run.RunView.RankView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a run went on, epoch by epoch. */
record Curve(List<Point> points) {

    /** How many looks at the test set a running mean is over. */
    private static final int LOOKS = 3;

    Curve {
        points = List.copyOf(points);
    }

    /**
     * Where a run is after an epoch.
     *
     * @param seconds of training since the start, on the rank that has needed the most; no time in
     *     which the test set is looked at
     * @param bytes that all ranks have sent since the start
     * @param testAccuracy null where the test set was not looked at
     * @param trainingLoss mean over the samples of the epoch, each before the update that it is in
     */
    record Point(
            int epoch,
            double seconds,
            long bytes,
            @Nullable Double testAccuracy,
            @Nullable Double testLoss,
            double trainingLoss) {}

    static Curve of(RunView run) {
        List<Point> points = new ArrayList<>();
        double[] seconds = new double[run.replicas().size()];
        long bytes = 0;
        for (EpochView epoch : run.epochs()) {
            for (RankView rank : epoch.ranks()) {
                seconds[rank.rank()] += rank.wallSeconds();
                bytes += rank.bytesSent();
            }
            points.add(
                    new Point(
                            epoch.epoch(),
                            largest(seconds),
                            bytes,
                            epoch.testAccuracy(),
                            epoch.testLoss(),
                            epoch.meanLoss()));
        }
        return new Curve(points);
    }

    Optional<Point> last() {
        return points.isEmpty() ? Optional.empty() : Optional.of(points.getLast());
    }

    /**
     * Where the running mean of test accuracy first is the target or more (ALGORITHMS section 10).
     * It is over the last three looks at the test set, or over all while there are fewer.
     */
    Optional<Point> reaching(double target) {
        List<Double> looks = new ArrayList<>();
        for (Point point : points) {
            if (point.testAccuracy() != null) {
                looks.add(point.testAccuracy());
                if (runningMean(looks) >= target) {
                    return Optional.of(point);
                }
            }
        }
        return Optional.empty();
    }

    private static double runningMean(List<Double> looks) {
        return looks.subList(Math.max(0, looks.size() - LOOKS), looks.size()).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }

    /** The latest look at the test set. */
    Optional<Point> lastLook() {
        return points.reversed().stream().filter(point -> point.testAccuracy() != null).findFirst();
    }

    @Nullable Double bestAccuracy() {
        return points.stream()
                .map(Point::testAccuracy)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    /**
     * No more points than a drawing needs: of so many in succession the last look at the test set,
     * or the last of all where there is none. The end of the curve stays.
     */
    Curve thinned(int most) {
        int step = Math.ceilDiv(points.size(), most);
        List<Point> some = new ArrayList<>();
        for (int from = 0; from < points.size(); from += step) {
            Curve part = new Curve(points.subList(from, Math.min(points.size(), from + step)));
            boolean isLast = from + step >= points.size();
            some.add((isLast ? part.last() : part.lastLook().or(part::last)).orElseThrow());
        }
        return new Curve(some);
    }

    private static double largest(double[] seconds) {
        double largest = 0;
        for (double each : seconds) {
            largest = Math.max(largest, each);
        }
        return largest;
    }
}
