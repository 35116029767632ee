package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Failing;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The workers' speed functions during one pass over the queue, each looked up once at most. */
final class Speeds implements Curves {

    /**
     * A speed function.
     *
     * @param load of the worker's machine
     */
    private record Curve(LabWorker worker, Kernel.TrainingStep kernel, Load load) {}

    private record Subject(WorkerId worker, Kernel.TrainingStep kernel) {}

    private final SpeedCurves curves;
    private final Profiles profiles;
    private final Map<Curve, Optional<SpeedFunction>> known = new HashMap<>();
    private final Map<Subject, Boolean> measured = new HashMap<>();
    private final Map<Curve, List<SpeedFunction.Point>> points = new HashMap<>();
    private final Map<Subject, Optional<Failing>> failing = new HashMap<>();

    Speeds(SpeedCurves curves, Profiles profiles) {
        this.curves = curves;
        this.profiles = profiles;
    }

    @Override
    public Optional<SpeedFunction> of(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
        return known.computeIfAbsent(new Curve(worker, kernel, load), this::lookUp);
    }

    @Override
    public List<SpeedFunction.Point> points(
            LabWorker worker, Kernel.TrainingStep kernel, Load load) {
        return points.computeIfAbsent(
                new Curve(worker, kernel, load),
                it -> points(curves.all(it.worker(), it.kernel(), it.load())));
    }

    /** What must be measured so that something is known of every worker, under whatever load. */
    List<Need> missing(List<LabWorker> workers, Kernel.TrainingStep kernel) {
        return Workers.byMachine(workers).stream()
                .filter(company -> company.stream().anyMatch(it -> !isKnown(it, kernel)))
                .map(Need::ofWholeRange)
                .toList();
    }

    private boolean isKnown(LabWorker worker, Kernel.TrainingStep kernel) {
        return measured.computeIfAbsent(
                new Subject(worker.id(), kernel), _ -> !curves.byLoad(worker, kernel).isEmpty());
    }

    /** Present where the worker's last profiles have failed. */
    Optional<Failing> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return failing.computeIfAbsent(
                new Subject(worker, kernel), it -> profiles.failing(it.worker(), it.kernel()));
    }

    private Optional<SpeedFunction> lookUp(Curve curve) {
        return curve(curves.newest(curve.worker(), curve.kernel(), curve.load()));
    }

    private static Optional<SpeedFunction> curve(List<MeasuredPoint> measured) {
        return measured.isEmpty()
                ? Optional.empty()
                : Optional.of(SpeedFunction.piecewise(points(measured)));
    }

    private static List<SpeedFunction.Point> points(List<MeasuredPoint> measured) {
        return measured.stream()
                .map(it -> new SpeedFunction.Point(it.size(), it.meanSeconds()))
                .toList();
    }
}
