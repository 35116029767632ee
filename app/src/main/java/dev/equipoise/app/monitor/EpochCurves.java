package dev.equipoise.app.monitor;

import dev.equipoise.app.telemetry.CurvePoints;
import dev.equipoise.app.telemetry.EpochMetric;
import dev.equipoise.app.telemetry.EpochStore.EpochFigures;
import dev.equipoise.app.telemetry.MetricStore.Metric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Curves of a run that have one point at the end of each epoch.
 *
 * @param rounds rounds of an epoch
 * @param figures figures of all ranks, by epoch and rank
 */
record EpochCurves(int rounds, List<EpochFigures> figures) {

    EpochCurves {
        figures = List.copyOf(figures);
    }

    /** Returns the metrics that have at least one point. */
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

    /**
     * Returns the curve of the whole run over the epochs that every rank has reported. All ranks
     * report the same value of such a metric.
     */
    CurvePoints ofRun(EpochMetric metric) {
        CurvePoints points = new CurvePoints();
        Map<Integer, Double> seconds = new HashMap<>();
        int first = 0;
        while (first < figures.size() && isWhole(first)) {
            EpochFigures epoch = figures.get(first);
            for (EpochFigures each : figures.subList(first, first + epoch.ranks())) {
                seconds.merge(each.rank(), each.wallSeconds(), Double::sum);
            }
            add(metric, epoch, Collections.max(seconds.values()), points);
            first += epoch.ranks();
        }
        return points;
    }

    private boolean isWhole(int first) {
        EpochFigures epoch = figures.get(first);
        int end = first + epoch.ranks();
        return end <= figures.size() && figures.get(end - 1).epoch() == epoch.epoch();
    }

    /** Returns the curves by rank. */
    Map<Integer, CurvePoints> ofRanks(EpochMetric metric) {
        Map<Integer, CurvePoints> curves = new TreeMap<>();
        Map<Integer, Double> seconds = new HashMap<>();
        for (EpochFigures each : figures) {
            add(
                    metric,
                    each,
                    seconds.merge(each.rank(), each.wallSeconds(), Double::sum),
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
