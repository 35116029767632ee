package dev.equipoise.app.schedule;

import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import java.util.List;
import java.util.Optional;

/** What has been measured of workers, each with so many others of its machine at the same time. */
interface Curves {

    /** Over the whole range; empty where the worker was not profiled so, or not lately. */
    Optional<SpeedFunction> of(LabWorker worker, Kernel.TrainingStep kernel, int company);

    /** All points that are known, also such of single shares, by ascending size. */
    List<SpeedFunction.Point> points(LabWorker worker, Kernel.TrainingStep kernel, int company);
}
