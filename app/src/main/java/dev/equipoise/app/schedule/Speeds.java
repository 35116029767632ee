package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Failing;
import dev.equipoise.app.profile.Profiles;
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

    private record Curve(WorkerId worker, Kernel.TrainingStep kernel) {}

    private final Profiles profiles;
    private final Map<Curve, Optional<SpeedFunction>> known = new HashMap<>();
    private final Map<Curve, Optional<Failing>> failing = new HashMap<>();

    Speeds(Profiles profiles) {
        this.profiles = profiles;
    }

    /** Empty where the worker was not profiled. */
    Optional<SpeedFunction> of(WorkerId worker, Kernel.TrainingStep kernel) {
        return known.computeIfAbsent(new Curve(worker, kernel), this::lookUp);
    }

    /** Present where the worker's last profiles have failed. */
    Optional<Failing> failing(WorkerId worker, Kernel.TrainingStep kernel) {
        return failing.computeIfAbsent(
                new Curve(worker, kernel), it -> profiles.failing(it.worker(), it.kernel()));
    }

    private Optional<SpeedFunction> lookUp(Curve curve) {
        List<MeasuredPoint> points = profiles.newest(curve.worker(), curve.kernel());
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
