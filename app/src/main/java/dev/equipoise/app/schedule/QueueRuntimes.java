package dev.equipoise.app.schedule;

import dev.equipoise.app.plan.RuntimeEstimator;
import dev.equipoise.app.plan.RuntimeEstimator.Expected;
import dev.equipoise.app.run.RunQueue.Queued;
import dev.equipoise.app.worker.LabWorker;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Estimates the runtimes of queued runs: by the epoch time model if their workers are profiled,
 * else by the runtime history.
 */
@Component
class QueueRuntimes {

    /** Number of runs at the head of the queue whose runtimes are estimated ahead of time. */
    private static final int MAX_ESTIMATED = 100;

    private final RuntimeEstimator estimator;

    QueueRuntimes(RuntimeEstimator estimator) {
        this.estimator = estimator;
    }

    /** The runs with the runtimes on their first eligible workers, as far as already estimated. */
    List<Queued> of(List<Queued> waiting, EligibleWorkers eligible) {
        return waiting.stream().map(run -> withRuntime(run, eligible)).toList();
    }

    private Queued withRuntime(Queued run, EligibleWorkers eligible) {
        return estimator.known(
                                run.configuration(),
                                run.epochsLeft(),
                                eligible.first(run.configuration()))
                        instanceof Expected.Lasts(Duration length)
                ? run.lasting(length)
                : run;
    }

    /**
     * Starts the missing estimates of the first runs, for the next passes.
     *
     * @param order the queued runs in queue order
     */
    void lookAhead(List<Queued> order, EligibleWorkers eligible) {
        order.stream()
                .limit(MAX_ESTIMATED)
                .forEach(run ->
                        estimator.find(run.configuration(), eligible.first(run.configuration())));
    }

    /**
     * The runtime of a run on the workers that it would get; null if it is unknown or still being
     * estimated.
     */
    @Nullable Duration on(List<LabWorker> workers, Queued run) {
        estimator.find(run.configuration(), workers);
        return switch (estimator.known(run.configuration(), run.epochsLeft(), workers)) {
            case Expected.Lasts(Duration length) -> length;
            case Expected.NoEstimate _ -> run.lengthOn(workers.size());
            case Expected.Pending _ -> null;
        };
    }
}
