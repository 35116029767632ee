package dev.equipoise.app.allocation;

import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/** Looks up how fast a worker computes under a host load. */
@FunctionalInterface
public interface WorkerSpeeds {

    /** The speed function without emulated slowdown; empty if it is unknown. */
    Optional<SpeedFunction> of(LabWorker worker, HostLoad load);

    /**
     * Seconds of a sigmoid in the hidden layer of a perceptron, without emulated slowdown; empty if
     * it was not measured.
     */
    default OptionalDouble sigmoid(LabWorker worker, HostLoad load) {
        return OptionalDouble.empty();
    }

    /**
     * The speed function of GEMM, in {@link dev.equipoise.performance.partition.GemmKernel units of
     * block products}; empty if it is unknown.
     */
    default Optional<SpeedFunction> gemm(LabWorker worker, HostLoad load) {
        return Optional.empty();
    }
}
