package dev.equipoise.app.compare;

import dev.equipoise.app.run.RunView;
import dev.equipoise.app.run.RunView.EpochView;
import dev.equipoise.app.run.RunView.RankView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Curve of a run with one point for each epoch. */
record Curve(List<Point> points) {

    /** Evaluations of a running mean. */
    private static final int EVALUATIONS = 3;

    Curve {
        points = List.copyOf(points);
    }

    /**
     * State of a run after an epoch.
     *
     * @param epoch epoch, from 1
     * @param seconds training time since the start on the slowest rank, evaluation excluded
     * @param wallClockSeconds time since the start on the clock of the service, with evaluations,
     *     checkpoints and restarts; null if unknown
     * @param bytes bytes that all ranks sent since the start
     * @param testAccuracy test accuracy of the replicas' mean; null without an evaluation
     * @param replicaAccuracy mean of the replicas' own accuracies; null if no replica was evaluated
     *     alone
     * @param testLoss test loss of the replicas' mean; null without an evaluation
     * @param trainingLoss mean over the samples of the epoch, each before the update that it is
     *     part of
     */
    @Schema(name = "ComparedPoint")
    record Point(
            int epoch,
            double seconds,
            @Nullable Double wallClockSeconds,
            long bytes,
            @Nullable Double testAccuracy,
            @Nullable Double replicaAccuracy,
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
            points.add(point(epoch, largest(seconds), bytes));
        }
        return new Curve(points);
    }

    private static Point point(EpochView epoch, double seconds, long bytes) {
        return new Point(
                epoch.epoch(),
                seconds,
                epoch.wallClockSeconds(),
                bytes,
                epoch.testAccuracy(),
                replicaAccuracy(epoch),
                epoch.testLoss(),
                epoch.meanLoss());
    }

    private static @Nullable Double replicaAccuracy(EpochView epoch) {
        OptionalDouble mean =
                epoch.ranks().stream()
                        .map(RankView::ownAccuracy)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .average();
        return mean.isPresent() ? mean.getAsDouble() : null;
    }

    Optional<Point> last() {
        return points.isEmpty() ? Optional.empty() : Optional.of(points.getLast());
    }

    /**
     * Returns the first point at which the running mean of the compared accuracy reaches the target
     * (docs/algorithms.md, section 10); empty without a target. The mean is over the last three
     * evaluations, or over all while there are fewer.
     */
    Optional<Point> reaching(Criterion criterion) {
        Double target = criterion.target();
        if (target == null) {
            return Optional.empty();
        }
        List<Double> accuracies = new ArrayList<>();
        for (Point point : points) {
            Double accuracy = criterion.of(point.testAccuracy(), point.replicaAccuracy());
            if (accuracy != null) {
                accuracies.add(accuracy);
                if (runningMean(accuracies) >= target) {
                    return Optional.of(point);
                }
            }
        }
        return Optional.empty();
    }

    private static double runningMean(List<Double> accuracies) {
        int from = Math.max(0, accuracies.size() - EVALUATIONS);
        return accuracies.subList(from, accuracies.size()).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }

    /** Returns the point of the last evaluation. */
    Optional<Point> lastEvaluation() {
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
     * Thins the curve to at most {@code most} points: each bucket of equal length keeps its last
     * evaluation, or its last point if it has none. The end of the curve stays.
     */
    Curve thinned(int most) {
        int step = Math.ceilDiv(points.size(), most);
        List<Point> some = new ArrayList<>();
        for (int from = 0; from < points.size(); from += step) {
            Curve part = new Curve(points.subList(from, Math.min(points.size(), from + step)));
            boolean isLast = from + step >= points.size();
            some.add((isLast ? part.last() : part.lastEvaluation().or(part::last)).orElseThrow());
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
