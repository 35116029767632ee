package dev.equipoise.app.bundle;

import dev.equipoise.app.measurement.SpeedCurves;
import dev.equipoise.protocol.Execution.Point;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The workers of the runs in a bundle. */
record StudyWorkers(List<StudyWorker> workers) {

    StudyWorkers {
        workers = List.copyOf(workers);
    }

    /**
     * A worker.
     *
     * @param speeds its measured speed functions, those under the lightest host load first
     */
    record StudyWorker(
            WorkerId id, String name, HostDescription host, List<SpeedCurves.Recorded> speeds) {

        StudyWorker {
            Objects.requireNonNull(id, "id must be given");
            Objects.requireNonNull(name, "name must be given");
            Objects.requireNonNull(host, "host must be given");
            speeds = List.copyOf(speeds);
        }
    }

    /**
     * Returns the speed function of a worker for a network under the lightest host load, if it was
     * measured.
     */
    Optional<Speed> speed(WorkerId worker, String network) {
        return workers.stream()
                .filter(it -> it.id().equals(worker))
                .flatMap(it -> it.speeds().stream())
                .filter(it -> it.network().equals(network) && !it.points().isEmpty())
                .findFirst()
                .map(it -> new Speed(ascending(it.points())));
    }

    /**
     * Makes times monotonic: a larger mini-batch takes at least as long, even if its measurement
     * says otherwise.
     */
    private static List<Point> ascending(List<MeasuredPoint> points) {
        List<Point> ascending = new ArrayList<>();
        double longest = 0;
        for (MeasuredPoint point : points) {
            longest = Math.max(longest, point.meanSeconds());
            ascending.add(new Point(point.size(), longest));
        }
        return ascending;
    }
}
