package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Load;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What has been measured of workers, under the load of their machine. */
interface Curves {

    /** Over the whole range; nothing where the worker was not profiled so, or not lately. */
    Curve whole(LabWorker worker, Kernel.TrainingStep kernel, Load load);

    /** All that is known, also such points of single shares. */
    Curve all(LabWorker worker, Kernel.TrainingStep kernel, Load load);

    /**
     * What is known of a worker's speed.
     *
     * @param profiles that tell it
     * @param points by ascending size
     */
    record Curve(List<UUID> profiles, List<SpeedFunction.Point> points) {

        public Curve {
            profiles = List.copyOf(profiles);
            points = List.copyOf(points);
        }

        /** Empty where no point is known. */
        Optional<SpeedFunction> speed() {
            return points.isEmpty()
                    ? Optional.empty()
                    : Optional.of(SpeedFunction.piecewise(points));
        }
    }
}
