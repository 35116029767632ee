package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunSnapshot;
import dev.equipoise.app.run.Runs;
import dev.equipoise.app.telemetry.CurvePoints;
import dev.equipoise.app.telemetry.EpochMetric;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.EventLog;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.app.telemetry.MetricStore.Metric;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Reads the curves of runs and downsamples them for drawing. */
@Service
class Curves {

    /** Limit of concurrent readers: a million points take about 30 MB while they are read. */
    private static final int MAX_READERS = 2;

    private static final int TIMEOUT_SECONDS = 10;

    private final Runs runs;
    private final EpochStore epochs;
    private final MetricStore metrics;
    private final EventLog log;
    private final Semaphore permits = new Semaphore(MAX_READERS, true);

    Curves(Runs runs, EpochStore epochs, MetricStore metrics, EventLog log) {
        this.runs = runs;
        this.epochs = epochs;
        this.metrics = metrics;
        this.log = log;
    }

    /**
     * Downsampled curve.
     *
     * @param run id of the run
     * @param rank null for a metric of the whole run
     * @param buckets buckets in their order on the axis
     */
    @Schema(name = "MetricCurve")
    record Curve(RunId run, @Nullable Integer rank, List<Bucket> buckets) {

        Curve {
            buckets = List.copyOf(buckets);
        }
    }

    /**
     * Returns the metrics that a run has so far: first those that agents report, then those of its
     * epochs.
     *
     * @throws Problem {@code not-found} if the run does not exist
     */
    List<Metric> metrics(Caller.User caller, RunId id) {
        RunSnapshot run = runs.snapshot(caller, id);
        return Stream.concat(metrics.of(id.value()).stream(), ofEpochs(run).metrics().stream())
                .toList();
    }

    long dropped(RunId id) {
        return metrics.dropped(id.value());
    }

    /**
     * Returns the curves of some runs.
     *
     * @throws Problem {@code not-found} if a run does not exist or none has the metric; {@code
     *     invalid-request} if the response would exceed {@link CurveRequest#MAX_BUCKETS}; {@code
     *     busy} if all readers stay busy for 10 s
     */
    List<Curve> find(Caller.User caller, List<RunId> ids, CurveRequest request)
            throws InterruptedException {
        List<RunSnapshot> some =
                ids.stream().distinct().map(id -> runs.snapshot(caller, id)).toList();
        if (!permits.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw Problem.of(
                    ErrorCode.BUSY,
                    "All %d readers of curves stayed busy for %d s: try again later"
                            .formatted(MAX_READERS, TIMEOUT_SECONDS));
        }
        try {
            List<Curve> curves = new ArrayList<>();
            for (RunSnapshot run : some) {
                add(run, request, curves);
            }
            if (curves.isEmpty()) {
                throw Problem.notFound("metric", request.metric());
            }
            return curves;
        } finally {
            permits.release();
        }
    }

    private void add(RunSnapshot run, CurveRequest request, List<Curve> curves) {
        Scale scale = scale(run, request.axis());
        EpochMetric.of(request.metric())
                .ifPresentOrElse(
                        metric -> addOfEpochs(run, metric, scale, request, curves),
                        () -> addReported(run, scale, request, curves));
    }

    private Scale scale(RunSnapshot run, Axis axis) {
        UUID id = run.id().value();
        return switch (axis) {
            case STEP, EPOCH, SECONDS -> new Scale(axis, run.rounds(), List.of());
            case SAMPLES, BYTES -> new Scale(axis, run.rounds(), epochs.totals(id));
            // A run that goes back keeps the events of the epochs that it trains again.
            case WALL_CLOCK ->
                    Scale.wallClock(
                            run.rounds(),
                            log.epochTimes(id).ofFirst(epochs.totals(id).size(), run.startedAt()));
        };
    }

    private void addReported(
            RunSnapshot run, Scale scale, CurveRequest request, List<Curve> curves) {
        for (int rank : metrics.ranks(run.id().value(), request.metric())) {
            if (request.wants(rank)) {
                CurvePoints points =
                        metrics.points(
                                run.id().value(),
                                request.metric(),
                                rank,
                                scale.steps(request.first(), request.last()),
                                request.firstSeconds());
                add(run, rank, points, scale, request, curves);
            }
        }
    }

    private void addOfEpochs(
            RunSnapshot run,
            EpochMetric metric,
            Scale scale,
            CurveRequest request,
            List<Curve> curves) {
        EpochCurves curvesOfEpochs = ofEpochs(run);
        if (metric.isOfRun()) {
            addOfEpochs(run, null, curvesOfEpochs.ofRun(metric), scale, request, curves);
            return;
        }
        curvesOfEpochs
                .ofRanks(metric)
                .forEach((rank, points) -> {
                    if (request.wants(rank)) {
                        addOfEpochs(run, rank, points, scale, request, curves);
                    }
                });
    }

    private static void addOfEpochs(
            RunSnapshot run,
            @Nullable Integer rank,
            CurvePoints points,
            Scale scale,
            CurveRequest request,
            List<Curve> curves) {
        if (points.size() > 0) {
            add(run, rank, points, scale, request, curves);
        }
    }

    private EpochCurves ofEpochs(RunSnapshot run) {
        return new EpochCurves(run.rounds(), epochs.figures(run.id().value()));
    }

    private static void add(
            RunSnapshot run,
            @Nullable Integer rank,
            CurvePoints points,
            Scale scale,
            CurveRequest request,
            List<Curve> curves) {
        List<Bucket> buckets =
                Buckets.of(points, scale, request.first(), request.last(), request.buckets());
        curves.add(new Curve(run.id(), rank, buckets));
        requireFewBuckets(curves);
    }

    private static void requireFewBuckets(List<Curve> curves) {
        int sum = curves.stream().mapToInt(curve -> curve.buckets().size()).sum();
        if (sum > CurveRequest.MAX_BUCKETS) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "the response exceeds %d buckets: request fewer buckets, ranks or runs"
                            .formatted(CurveRequest.MAX_BUCKETS));
        }
    }
}
