package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.EpochResultRepository.EpochTotal;
import dev.equipoise.app.run.Metrics.Metric;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Curves of runs, summed up in as many stretches as can be drawn. */
@Service
class Curves {

    /** A million points are some thirty megabytes while they are summed up. */
    private static final int READERS = 2;

    private static final int PATIENCE_SECONDS = 10;

    private final Runs runs;
    private final EpochResultRepository results;
    private final Metrics metrics;
    private final Semaphore turns = new Semaphore(READERS, true);

    Curves(Runs runs, EpochResultRepository results, Metrics metrics) {
        this.runs = runs;
        this.results = results;
        this.metrics = metrics;
    }

    /**
     * A curve.
     *
     * @param rank null where it is of the run as a whole
     * @param buckets in their order on the axis
     */
    @Schema(name = "MetricCurve")
    record Curve(RunId run, @Nullable Integer rank, List<Bucket> buckets) {

        Curve {
            buckets = List.copyOf(buckets);
        }
    }

    /**
     * What curves a run has so far: first those of which its agents tell.
     *
     * @throws Problem {@code not-found} where there is no such run
     */
    List<Metric> metrics(Caller.User caller, RunId id) {
        Run run = runs.require(caller, id);
        return Stream.concat(metrics.of(run.id()).stream(), ofEpochs(run).metrics().stream())
                .toList();
    }

    /** How many points of a run were dropped. */
    long dropped(RunId id) {
        return metrics.dropped(id.value());
    }

    /**
     * The curves of some runs.
     *
     * @throws Problem {@code not-found} where one of the runs is not there, or none has the metric;
     *     {@code invalid-request} where there would be too many stretches; {@code busy} where too
     *     many others have asked before
     */
    List<Curve> find(Caller.User caller, List<RunId> ids, CurveRequest request)
            throws InterruptedException {
        List<Run> some = ids.stream().distinct().map(id -> runs.require(caller, id)).toList();
        if (!turns.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw Problem.of(
                    ErrorCode.BUSY, "Too many curves are being summed up; try again later");
        }
        try {
            List<Curve> curves = new ArrayList<>();
            for (Run run : some) {
                add(run, request, curves);
            }
            if (curves.isEmpty()) {
                throw Problem.notFound("metric", request.metric());
            }
            return curves;
        } finally {
            turns.release();
        }
    }

    private void add(Run run, CurveRequest request, List<Curve> curves) {
        Scale scale = new Scale(request.axis(), run.rounds(), totals(run, request.axis()));
        EpochMetric.of(request.metric())
                .ifPresentOrElse(
                        metric -> addOfEpochs(run, metric, scale, request, curves),
                        () -> addReported(run, scale, request, curves));
    }

    private List<EpochTotal> totals(Run run, Axis axis) {
        return switch (axis) {
            case STEP, EPOCH, SECONDS -> List.of();
            case SAMPLES, BYTES -> results.findTotals(run.id());
        };
    }

    private void addReported(Run run, Scale scale, CurveRequest request, List<Curve> curves) {
        for (int rank : metrics.ranks(run.id(), request.metric())) {
            if (request.wants(rank)) {
                CurvePoints points = metrics.points(run.id(), request.metric(), rank);
                add(run, rank, points, scale, request, curves);
            }
        }
    }

    private void addOfEpochs(
            Run run, EpochMetric metric, Scale scale, CurveRequest request, List<Curve> curves) {
        EpochCurves epochs = ofEpochs(run);
        if (metric.isOfRun()) {
            add(run, null, epochs.ofRun(metric), scale, request, curves);
            return;
        }
        for (Map.Entry<Integer, CurvePoints> rank : epochs.ofRanks(metric).entrySet()) {
            if (request.wants(rank.getKey())) {
                add(run, rank.getKey(), rank.getValue(), scale, request, curves);
            }
        }
    }

    private EpochCurves ofEpochs(Run run) {
        return new EpochCurves(run.rounds(), results.findFigures(run.id()));
    }

    private static void add(
            Run run,
            @Nullable Integer rank,
            CurvePoints points,
            Scale scale,
            CurveRequest request,
            List<Curve> curves) {
        if (points.size() == 0) {
            return;
        }
        List<Bucket> buckets =
                Buckets.of(points, scale, request.first(), request.last(), request.buckets());
        curves.add(new Curve(RunId.of(run.id()), rank, buckets));
        int sum = curves.stream().mapToInt(curve -> curve.buckets().size()).sum();
        if (sum > CurveRequest.MOST_BUCKETS) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "an answer must have at most %d buckets, but has more: ask for fewer buckets,"
                                    .formatted(CurveRequest.MOST_BUCKETS)
                            + " ranks or runs");
        }
    }
}
