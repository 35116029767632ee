package dev.equipoise.app.bundle;

import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.protocol.Execution.Point;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The workers that took part in the runs of a bundle. */
record StudyWorkers(List<StudyWorker> workers) {

    StudyWorkers {
        workers = List.copyOf(workers);
    }

    /**
     * One of them.
     *
     * @param speeds as they were measured of it, the lightest load of its machine first
     */
    record StudyWorker(
            WorkerId id, String name, HostDescription host, List<SpeedCurves.Recorded> speeds) {

        StudyWorker {
            Objects.requireNonNull(id, "id is needed");
            Objects.requireNonNull(name, "name is needed");
            Objects.requireNonNull(host, "host is needed");
            speeds = List.copyOf(speeds);
        }
    }

    /** How fast a worker trains a network when it has its machine for itself, if that is known. */
    Optional<Speed> speed(WorkerId worker, String network) {
        return workers.stream()
                .filter(it -> it.id().equals(worker))
                .flatMap(it -> it.speeds().stream())
                .filter(it -> it.network().equals(network) && !it.points().isEmpty())
                .findFirst()
                .map(it -> new Speed(ascending(it.points())));
    }

    /** A larger mini-batch takes no less time, though its measurement may say so. */
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
