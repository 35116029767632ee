package dev.equipoise.app.allocation;

import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.measurement.RepeatedFailures;
import dev.equipoise.app.measurement.SpeedCurves;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.GemmKernel;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Caches the speed functions of workers during one scheduling pass. */
public final class CachedSpeedCurves implements SpeedCurveLookup {

    /**
     * The key of a speed function.
     *
     * @param load host load of the worker
     */
    private record CurveKey(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {}

    private record WorkerKernel(WorkerId worker, Kernel.TrainingStep kernel) {}

    private final SpeedCurves curves;
    private final Profiles profiles;
    private final Map<CurveKey, SpeedCurve> whole = new HashMap<>();
    private final Map<WorkerKernel, Boolean> measured = new HashMap<>();
    private final Map<CurveKey, SpeedCurve> all = new HashMap<>();
    private final Map<CurveKey, SpeedCurve> gemm = new HashMap<>();
    private final Map<WorkerKernel, Optional<RepeatedFailures>> failing = new HashMap<>();

    public CachedSpeedCurves(SpeedCurves curves, Profiles profiles) {
        this.curves = curves;
        this.profiles = profiles;
    }

    @Override
    public SpeedCurve whole(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
        return whole.computeIfAbsent(
                new CurveKey(worker, kernel, load),
                it -> curve(curves.newest(it.worker(), it.kernel(), it.load())));
    }

    @Override
    public SpeedCurve gemm(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
        return gemm.computeIfAbsent(
                new CurveKey(worker, kernel, load),
                it -> gemmCurve(curves.newestGemm(it.worker(), it.kernel(), it.load())));
    }

    @Override
    public SpeedCurve all(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load) {
        return all.computeIfAbsent(
                new CurveKey(worker, kernel, load),
                it -> curve(curves.all(it.worker(), it.kernel(), it.load())));
    }

    /** The profiles to measure, so that each worker has a speed function under some host load. */
    public List<ProfileGap> missing(List<LabWorker> workers, Kernel.TrainingStep kernel) {
        return Workers.byMachine(workers).stream()
                .filter(company -> company.stream().anyMatch(it -> !isKnown(it, kernel)))
                .map(ProfileGap::ofWholeRange)
                .toList();
    }

    private boolean isKnown(LabWorker worker, Kernel.TrainingStep kernel) {
        return measured.computeIfAbsent(
                new WorkerKernel(worker.id(), kernel),
                _ -> !curves.byLoad(worker, kernel).isEmpty());
    }

    /** The failures of the worker's last profiles in a row; empty if the last one succeeded. */
    public Optional<RepeatedFailures> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return failing.computeIfAbsent(
                new WorkerKernel(worker, kernel), it -> profiles.failing(it.worker(), it.kernel()));
    }

    private static SpeedCurve gemmCurve(SpeedCurves.Known known) {
        return new SpeedCurve(
                known.profiles(),
                known.points().stream()
                        .map(it -> GemmKernel.point(it.size(), it.meanSeconds()))
                        .toList());
    }

    private static SpeedCurve curve(SpeedCurves.Known known) {
        return new SpeedCurve(
                known.profiles(),
                known.points().stream()
                        .map(it -> new SpeedFunction.Point(it.size(), it.meanSeconds()))
                        .toList(),
                MeasuredPoint.sigmoidOf(known.points()));
    }
}
