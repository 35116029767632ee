package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Load;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import java.util.List;
import java.util.Optional;

/** What has been measured of workers, under the load of their machine. */
interface Curves {

    /** Over the whole range; empty where the worker was not profiled so, or not lately. */
    Optional<SpeedFunction> of(LabWorker worker, Kernel.TrainingStep kernel, Load load);

    /** All points that are known, also such of single shares, by ascending size. */
    List<SpeedFunction.Point> points(LabWorker worker, Kernel.TrainingStep kernel, Load load);
}
