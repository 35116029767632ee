package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.measurement.LinkMeasurements;
import dev.equipoise.app.measurement.SpeedCurves;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.GemmKernel;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Looks up the measured speeds of workers and the links between them. */
@Component
class CandidateWorkerFinder {

    private final SpeedCurves curves;
    private final LinkMeasurements links;

    CandidateWorkerFinder(SpeedCurves curves, LinkMeasurements links) {
        this.curves = curves;
        this.links = links;
    }

    /** The workers with known speeds, in the given order. */
    CandidateWorkers candidates(RunConfiguration configuration, List<LabWorker> workers) {
        List<CandidateWorker> candidates = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (CandidateWorker candidate : of(configuration, workers)) {
            if (candidate.isKnown()) {
                candidates.add(candidate);
            } else {
                leftOut.add(
                        "worker %s: %s"
                                .formatted(
                                        candidate.name(), gap(candidate.worker(), configuration)));
            }
        }
        return new CandidateWorkers(candidates, linkModel(candidates), leftOut);
    }

    /** Tells why the speed of a worker is unknown, and what helps. */
    private String gap(LabWorker worker, RunConfiguration configuration) {
        List<String> changes = curves.staleness(worker, kernel(configuration));
        return changes.isEmpty()
                ? "it has no profile of " + label(configuration)
                : "its profile of %s is stale, since its host has changed (%s): measure it again, or let a run that needs it do so"
                        .formatted(label(configuration), String.join("; ", changes));
    }

    /**
     * Builds the plan candidate of a configuration on given workers.
     *
     * @param workers one for each rank, or one for all
     */
    PlanCandidate planCandidate(RunConfiguration configuration, List<LabWorker> workers) {
        List<CandidateWorker> candidates = of(configuration, workers);
        return new PlanCandidate(configuration, candidates, linkModel(candidates));
    }

    private List<CandidateWorker> of(RunConfiguration configuration, List<LabWorker> workers) {
        return workers.stream().map(worker -> of(configuration, worker)).toList();
    }

    private CandidateWorker of(RunConfiguration configuration, LabWorker worker) {
        if (configuration.isOnOneWorker() && !configuration.wantsSpeeds()) {
            return CandidateWorkers.candidateOf(worker, configuration);
        }
        Map<HostLoad, List<MeasuredPoint>> measured = curves.byLoad(worker, kernel(configuration));
        Map<HostLoad, StepTimeModel> stepTimes = new HashMap<>();
        measured.forEach((load, points) -> stepTimes.put(load, StepTimeModel.measured(points)));
        return configuration.sharesByGemm()
                ? withGemm(CandidateWorker.measured(worker, stepTimes), kernel(configuration))
                : CandidateWorker.measured(worker, stepTimes);
    }

    /** The worker with its speed functions of GEMM, or without any speed if it lacks these. */
    private CandidateWorker withGemm(CandidateWorker candidate, Kernel.TrainingStep kernel) {
        Map<HostLoad, SpeedFunction> gemm = new HashMap<>();
        curves.gemmByLoad(candidate.worker(), kernel)
                .forEach((load, points) ->
                        gemm.put(
                                load,
                                SpeedFunction.piecewise(
                                        points.stream()
                                                .map(it ->
                                                        GemmKernel.point(
                                                                it.size(), it.meanSeconds()))
                                                .toList())));
        return gemm.isEmpty()
                ? CandidateWorker.measured(candidate.worker(), Map.of())
                : candidate.withGemm(gemm);
    }

    private static String label(RunConfiguration configuration) {
        String label = kernel(configuration).label();
        return configuration.sharesByGemm() ? label + " and gemm" : label;
    }

    private static Kernel.TrainingStep kernel(RunConfiguration configuration) {
        return new Kernel.TrainingStep(configuration.architecture().name());
    }

    private LinkModel linkModel(List<CandidateWorker> candidates) {
        List<WorkerId> ids = candidates.stream().map(it -> it.worker().id()).toList();
        return new LinkModel.Measured(ids, links.among(ids));
    }
}
