package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Failing;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The workers' speed functions during one pass over the queue, each looked up once at most. */
final class Speeds {

    /**
     * A speed function.
     *
     * @param company workers of one machine that compute at the same time
     */
    private record Curve(LabWorker worker, Kernel.TrainingStep kernel, int company) {}

    private record Subject(WorkerId worker, Kernel.TrainingStep kernel) {}

    private final Profiles profiles;
    private final Map<Curve, Optional<SpeedFunction>> known = new HashMap<>();
    private final Map<Subject, Optional<Failing>> failing = new HashMap<>();

    Speeds(Profiles profiles) {
        this.profiles = profiles;
    }

    /** Empty where the worker was not profiled in such company, or not lately. */
    Optional<SpeedFunction> of(LabWorker worker, Kernel.TrainingStep kernel, int company) {
        return known.computeIfAbsent(new Curve(worker, kernel, company), this::lookUp);
    }

    /** Whether all workers of one machine are known in the company of one another. */
    boolean areKnown(List<LabWorker> company, Kernel.TrainingStep kernel) {
        return company.stream().allMatch(it -> of(it, kernel, company.size()).isPresent());
    }

    /** Present where the worker's last profiles have failed. */
    Optional<Failing> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return failing.computeIfAbsent(
                new Subject(worker, kernel), it -> profiles.failing(it.worker(), it.kernel()));
    }

    private Optional<SpeedFunction> lookUp(Curve curve) {
        List<MeasuredPoint> points =
                profiles.newest(curve.worker(), curve.kernel(), curve.company());
        return points.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        SpeedFunction.piecewise(
                                points.stream()
                                        .map(it ->
                                                new SpeedFunction.Point(
                                                        it.size(), it.meanSeconds()))
                                        .toList()));
    }
}
