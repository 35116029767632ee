package dev.equipoise.app.allocation;

import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import dev.equipoise.protocol.Kernel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;

/** Looks up measured speed functions of workers by host load. */
public interface SpeedCurveLookup {

    /** The newest curve over the whole range of sizes; empty if it is missing or too old. */
    SpeedCurve whole(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load);

    /**
     * The GEMM curve of the newest profile over the whole range, in units of block products; empty
     * if the profile is missing, too old or imported.
     *
     * @param kernel the training step that the profile measures beside GEMM
     */
    SpeedCurve gemm(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load);

    /** All measured points, also those of partial FPMs. */
    SpeedCurve all(LabWorker worker, Kernel.TrainingStep kernel, HostLoad load);

    /**
     * The measured points of a worker's speed function.
     *
     * @param profiles the profiles that measured them
     * @param points by ascending size
     * @param sigmoid seconds of a sigmoid, for a perceptron; empty if it was not measured
     */
    record SpeedCurve(
            List<UUID> profiles, List<SpeedFunction.Point> points, OptionalDouble sigmoid) {

        /** Creates a curve without the time of a sigmoid. */
        SpeedCurve(List<UUID> profiles, List<SpeedFunction.Point> points) {
            this(profiles, points, OptionalDouble.empty());
        }

        public SpeedCurve {
            profiles = List.copyOf(profiles);
            points = List.copyOf(points);
        }

        /** The piecewise linear speed function; empty without points. */
        Optional<SpeedFunction> speed() {
            return points.isEmpty()
                    ? Optional.empty()
                    : Optional.of(SpeedFunction.piecewise(points));
        }
    }
}
