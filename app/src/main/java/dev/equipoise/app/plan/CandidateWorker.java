package dev.equipoise.app.plan;

import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.performance.partition.SpeedFunction;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * A worker that could execute a rank, with its speed.
 *
 * @param stepTimes step time models by host load; empty if the worker has no profile
 * @param gemm speed functions of GEMM by host load; empty unless shares are computed from them
 * @param isSpecified whether its speed is given by a request or definition and so independent of
 *     the host load
 */
record CandidateWorker(
        LabWorker worker,
        Map<HostLoad, StepTimeModel> stepTimes,
        Map<HostLoad, SpeedFunction> gemm,
        boolean isSpecified) {

    CandidateWorker {
        stepTimes = Map.copyOf(stepTimes);
        gemm = Map.copyOf(gemm);
    }

    static CandidateWorker specified(LabWorker worker, StepTimeModel stepTime) {
        return new CandidateWorker(worker, Map.of(HostLoad.ALONE, stepTime), Map.of(), true);
    }

    static CandidateWorker measured(LabWorker worker, Map<HostLoad, StepTimeModel> stepTimes) {
        return new CandidateWorker(worker, stepTimes, Map.of(), false);
    }

    /** Returns this worker with speed functions of GEMM, from which its share is computed. */
    CandidateWorker withGemm(Map<HostLoad, SpeedFunction> speeds) {
        return new CandidateWorker(worker, stepTimes, speeds, isSpecified);
    }

    String name() {
        return worker.name();
    }

    boolean isKnown() {
        return !stepTimes.isEmpty();
    }

    /**
     * The step time model that was measured under the host load closest to the given one.
     *
     * @throws java.util.NoSuchElementException if the worker has no profile
     */
    StepTimeModel stepTime(HostLoad load) {
        Map.Entry<HostLoad, StepTimeModel> nearest = nearest(stepTimes, load).orElseThrow();
        return isSpecified
                ? nearest.getValue()
                : nearest.getValue().under(nearest.getKey().differenceFrom(load));
    }

    /**
     * The speed function from which its share is computed with the kernel GEMM, measured under the
     * host load closest to the given one. A specified worker has one speed, whatever the kernel.
     */
    Optional<SpeedFunction> gemm(HostLoad load) {
        return isSpecified
                ? Optional.of(stepTime(load).speed())
                : nearest(gemm, load).map(Map.Entry::getValue);
    }

    private static <T> Optional<Map.Entry<HostLoad, T>> nearest(
            Map<HostLoad, T> byLoad, HostLoad load) {
        return byLoad.entrySet().stream()
                .min(
                        Comparator.<Map.Entry<HostLoad, T>>comparingInt(
                                        it -> it.getKey().distance(load))
                                .thenComparingInt(it -> it.getKey().percent()));
    }

    /** Seconds of a training step under the highest measured host load. */
    double seconds(int batch) {
        return stepTime(new HostLoad(Integer.MAX_VALUE)).speed().seconds(batch);
    }
}
