package dev.equipoise.app.plan;

import dev.equipoise.app.measurement.HostLoad;
import dev.equipoise.app.worker.LabWorker;
import java.util.Comparator;
import java.util.Map;

/**
 * A worker that could execute a rank, with its speed.
 *
 * @param stepTimes step time models by host load; empty if the worker has no profile
 * @param isSpecified whether its speed is given by a request or definition and so independent of
 *     the host load
 */
record CandidateWorker(
        LabWorker worker, Map<HostLoad, StepTimeModel> stepTimes, boolean isSpecified) {

    CandidateWorker {
        stepTimes = Map.copyOf(stepTimes);
    }

    static CandidateWorker specified(LabWorker worker, StepTimeModel stepTime) {
        return new CandidateWorker(worker, Map.of(HostLoad.ALONE, stepTime), true);
    }

    static CandidateWorker measured(LabWorker worker, Map<HostLoad, StepTimeModel> stepTimes) {
        return new CandidateWorker(worker, stepTimes, false);
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
        Map.Entry<HostLoad, StepTimeModel> nearest =
                stepTimes.entrySet().stream()
                        .min(
                                Comparator.<Map.Entry<HostLoad, StepTimeModel>>comparingInt(
                                                it -> it.getKey().distance(load))
                                        .thenComparingInt(it -> it.getKey().percent()))
                        .orElseThrow();
        return isSpecified
                ? nearest.getValue()
                : nearest.getValue().under(nearest.getKey().differenceFrom(load));
    }

    /** Seconds of a training step under the highest measured host load. */
    double seconds(int batch) {
        return stepTime(new HostLoad(Integer.MAX_VALUE)).speed().seconds(batch);
    }
}
