package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.telemetry.MetricStore;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of the metrics of runs and their downsampled curves. */
@Tag(name = "Metrics")
@RestController
@RequestMapping("/api/v1")
class CurveController {

    private static final int MAX_RUNS = 20;
    private static final int MAX_RANKS = 1024;
    private static final int MAX_BUCKETS = 2000;
    private static final String BUCKETS = "500";

    private final Curves curves;

    CurveController(Curves curves) {
        this.curves = curves;
    }

    /**
     * Metrics of a run.
     *
     * @param items metrics of the run
     * @param droppedPoints metric points dropped because the run exceeded its limit
     */
    record MetricList(List<MetricStore.Metric> items, long droppedPoints) {}

    /**
     * Metrics of several runs.
     *
     * @param items metrics by run
     */
    @Schema(name = "ComparedMetrics")
    record ComparedMetrics(List<RunMetrics> items) {}

    /**
     * Metrics of one of several runs.
     *
     * @param run id of the run
     * @param metrics metrics of the run
     */
    @Schema(name = "RunMetrics")
    record RunMetrics(RunId run, List<MetricStore.Metric> metrics) {}

    /**
     * Curves of one metric over one axis.
     *
     * @param metric name of the metric
     * @param x axis of the curves
     * @param items curves by run and rank
     */
    @Schema(name = "CurveList")
    record CurveList(String metric, Axis x, List<Curves.Curve> items) {}

    /** Lists the metrics of a run with the ranges of their curves. */
    @GetMapping("/runs/{id}/metrics")
    MetricList listRunMetrics(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        RunId run = RunId.of(id);
        return new MetricList(curves.metrics(caller, run), curves.dropped(run));
    }

    /**
     * Lists the metrics of several runs.
     *
     * @param run ids of the runs
     */
    @GetMapping("/metrics")
    ComparedMetrics listMetrics(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam @Size(min = 1, max = MAX_RUNS) List<@NotNull UUID> run) {
        return new ComparedMetrics(
                run.stream()
                        .distinct()
                        .map(RunId::of)
                        .map(id -> new RunMetrics(id, curves.metrics(caller, id)))
                        .toList());
    }

    /**
     * Returns the curves of one metric of a run, downsampled.
     *
     * @param name name of the metric, for example {@code train/loss}
     * @param rank ranks whose curves come; without it, all
     * @param x axis of the curve
     * @param from least position on the axis
     * @param to greatest position on the axis
     * @param buckets most points of a curve
     */
    @GetMapping("/runs/{id}/curves")
    CurveList getRunCurves(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam String name,
            @RequestParam(defaultValue = "") @Size(max = MAX_RANKS) List<@NotNull @Min(0) Integer> rank,
            @RequestParam(defaultValue = "step") Axis x,
            @RequestParam(required = false) @Nullable Double from,
            @RequestParam(required = false) @Nullable Double to,
            @RequestParam(defaultValue = BUCKETS) @Min(1) @Max(MAX_BUCKETS) int buckets)
            throws InterruptedException {
        return getCurves(caller, List.of(id), name, rank, x, from, to, buckets);
    }

    /**
     * Returns the curves of one metric of several runs, downsampled.
     *
     * @param run ids of the runs
     * @param name name of the metric, for example {@code train/loss}
     * @param rank ranks whose curves come; without it, all
     * @param x axis of the curve
     * @param from least position on the axis
     * @param to greatest position on the axis
     * @param buckets most points of a curve
     */
    @GetMapping("/curves")
    CurveList getCurves(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam @Size(min = 1, max = MAX_RUNS) List<@NotNull UUID> run,
            @RequestParam String name,
            @RequestParam(defaultValue = "") @Size(max = MAX_RANKS) List<@NotNull @Min(0) Integer> rank,
            @RequestParam(defaultValue = "step") Axis x,
            @RequestParam(required = false) @Nullable Double from,
            @RequestParam(required = false) @Nullable Double to,
            @RequestParam(defaultValue = BUCKETS) @Min(1) @Max(MAX_BUCKETS) int buckets)
            throws InterruptedException {
        var request = new CurveRequest(name, rank, x, from, to, buckets);
        return new CurveList(
                name, x, curves.find(caller, run.stream().map(RunId::of).toList(), request));
    }
}
