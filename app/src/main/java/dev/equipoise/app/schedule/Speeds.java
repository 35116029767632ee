package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Failing;
import dev.equipoise.app.profile.Load;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.Workers;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The workers' speed functions during one pass over the queue, each looked up once at most. */
final class Speeds implements Curves {

    /**
     * Whose speed function.
     *
     * @param load of the worker's machine
     */
    private record Owner(LabWorker worker, Kernel.TrainingStep kernel, Load load) {}

    private record Subject(WorkerId worker, Kernel.TrainingStep kernel) {}

    private final SpeedCurves curves;
    private final Profiles profiles;
    private final Map<Owner, Curve> whole = new HashMap<>();
    private final Map<Subject, Boolean> measured = new HashMap<>();
    private final Map<Owner, Curve> all = new HashMap<>();
    private final Map<Subject, Optional<Failing>> failing = new HashMap<>();

    Speeds(SpeedCurves curves, Profiles profiles) {
        this.curves = curves;
        this.profiles = profiles;
    }

    @Override
    public Curve whole(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
        return whole.computeIfAbsent(
                new Owner(worker, kernel, load),
                it -> curve(curves.newest(it.worker(), it.kernel(), it.load())));
    }

    @Override
    public Curve all(LabWorker worker, Kernel.TrainingStep kernel, Load load) {
        return all.computeIfAbsent(
                new Owner(worker, kernel, load),
                it -> curve(curves.all(it.worker(), it.kernel(), it.load())));
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

    private static Curve curve(SpeedCurves.Known known) {
        return new Curve(
                known.profiles(),
                known.points().stream()
                        .map(it -> new SpeedFunction.Point(it.size(), it.meanSeconds()))
                        .toList());
    }
}
