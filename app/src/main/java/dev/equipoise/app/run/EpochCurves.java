package dev.equipoise.app.run;

import dev.equipoise.app.run.EpochResultRepository.EpochFigures;
import dev.equipoise.app.run.Metrics.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The curves of a run that have a point at the end of an epoch.
 *
 * @param rounds of an epoch
 * @param ranks of the run
 * @param figures epoch by epoch, in the order of ranks
 */
record EpochCurves(int rounds, int ranks, List<EpochFigures> figures) {

    EpochCurves {
        figures = List.copyOf(figures);
    }

    /** Those that there are. */
    List<Metric> metrics() {
        List<Metric> all = new ArrayList<>();
        for (EpochMetric metric : EpochMetric.values()) {
            if (metric.isOfRun()) {
                describe(metric, null, ofRun(metric), all);
            } else {
                ofRanks(metric).forEach((rank, points) -> describe(metric, rank, points, all));
            }
        }
        return all;
    }

    private void describe(
            EpochMetric metric, @Nullable Integer rank, CurvePoints points, List<Metric> all) {
        if (points.size() > 0) {
            all.add(
                    new Metric(
                            metric.title(),
                            rank,
                            points.size(),
                            rounds,
                            points.step(0),
                            points.step(points.size() - 1),
                            points.least(),
                            points.greatest()));
        }
    }

    /** Of the whole run, once every rank has told an epoch: they tell the same of it. */
    CurvePoints ofRun(EpochMetric metric) {
        CurvePoints points = new CurvePoints();
        double[] seconds = new double[ranks];
        for (int i = 0; i + ranks <= figures.size() && isWhole(i); i += ranks) {
            for (EpochFigures each : figures.subList(i, i + ranks)) {
                seconds[each.rank()] += each.wallSeconds();
            }
            add(metric, figures.get(i), Arrays.stream(seconds).max().orElse(0), points);
        }
        return points;
    }

    private boolean isWhole(int first) {
        return figures.get(first).epoch() == figures.get(first + ranks - 1).epoch();
    }

    /** By rank. */
    Map<Integer, CurvePoints> ofRanks(EpochMetric metric) {
        Map<Integer, CurvePoints> curves = new TreeMap<>();
        double[] seconds = new double[ranks];
        for (EpochFigures each : figures) {
            seconds[each.rank()] += each.wallSeconds();
            add(
                    metric,
                    each,
                    seconds[each.rank()],
                    curves.computeIfAbsent(each.rank(), _ -> new CurvePoints()));
        }
        return curves;
    }

    private void add(EpochMetric metric, EpochFigures each, double seconds, CurvePoints points) {
        Double value = metric.value(each);
        if (value != null) {
            points.point((long) each.epoch() * rounds, seconds, value);
        }
    }
}
