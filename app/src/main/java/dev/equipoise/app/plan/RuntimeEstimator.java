package dev.equipoise.app.plan;

import dev.equipoise.app.computing.ComputeThread;
import dev.equipoise.app.computing.ComputeThreads;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.problem.DatabaseFailureLog;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;

/**
 * Estimates the runtime of runs on given workers by the epoch time model. Callers never wait: they
 * get cached estimates, and a separate thread computes missing ones outside of transactions.
 * Thread-safe.
 */
@Service
public class RuntimeEstimator implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(RuntimeEstimator.class);
    private static final int MAX_WAITING = 200;
    private static final int MAX_ESTIMATES = 2_000;
    private static final double MILLIS = 1000;

    /** Lifetime of an estimate: profiles, links and bias correction change. */
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    /** Assumed time from placement to training before any run has shown it. */
    private static final Duration DEFAULT_PREPARATION = Duration.ofSeconds(10);

    private final CandidateWorkerFinder finder;
    private final Predictions predictions;
    private final RunQueue queue;
    private final Clock clock;
    private final ComputeThread thread;

    /** Estimates in access order; evicts the least recently used. Guarded by this. */
    private final Map<Key, Estimate> estimates =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Estimate> eldest) {
                    return size() > MAX_ESTIMATES;
                }
            };

    /** Keys whose estimate is being computed. Guarded by this. */
    private final Set<Key> pending = new HashSet<>();

    RuntimeEstimator(
            CandidateWorkerFinder finder,
            Predictions predictions,
            RunQueue queue,
            Clock clock,
            ComputeThreads threads) {
        this.thread = threads.create("runtime estimation", MAX_WAITING);
        this.finder = finder;
        this.predictions = predictions;
        this.queue = queue;
        this.clock = clock;
    }

    /** A runtime estimate, or why there is none. */
    public sealed interface Expected {

        /** The runtime, from placement to end. */
        record Lasts(Duration length) implements Expected {}

        /** A worker has no profile, or the model does not apply to the run. */
        record NoEstimate() implements Expected {}

        /** The estimate is not computed yet. */
        record Pending() implements Expected {}
    }

    /** The key of an estimate; all runs that differ in their seed alone share it. */
    private record Key(RunConfiguration configuration, List<WorkerId> workers) {}

    private record Estimate(@Nullable PhaseDurations phases, Instant at) {

        Expected expected(int epochs) {
            return phases == null
                    ? new Expected.NoEstimate()
                    : new Expected.Lasts(
                            phases.preparation()
                                    .plusMillis(
                                            (long)
                                                    Math.ceil(
                                                            epochs
                                                                    * phases.epochSeconds()
                                                                    * MILLIS)));
        }
    }

    private record PhaseDurations(Duration preparation, double epochSeconds) {}

    /**
     * The cached estimate of a run.
     *
     * @param epochs number of remaining epochs
     * @param workers one for each rank
     */
    public Expected known(RunConfiguration configuration, int epochs, List<LabWorker> workers) {
        if (!isPredictable(configuration, workers)) {
            return new Expected.NoEstimate();
        }
        return cached(key(configuration, workers))
                .map(it -> it.expected(epochs))
                .orElseGet(Expected.Pending::new);
    }

    /** Starts a missing or outdated estimate; does nothing if too many are being computed. */
    public void find(RunConfiguration configuration, List<LabWorker> workers) {
        if (isPredictable(configuration, workers)) {
            Key key = key(configuration, workers);
            if (begin(key)) {
                thread.start(() -> estimate(key, configuration, workers));
            }
        }
    }

    @Override
    public void destroy() {
        thread.close();
    }

    /** Whether the model applies; it does not to virtual runs, replays and open configurations. */
    private static boolean isPredictable(RunConfiguration configuration, List<LabWorker> workers) {
        return !configuration.isOpen()
                && !configuration.isOnOneWorker()
                && workers.size() == configuration.workersWanted();
    }

    private static Key key(RunConfiguration configuration, List<LabWorker> workers) {
        return new Key(configuration.withSeed(1), workers.stream().map(LabWorker::id).toList());
    }

    private synchronized Optional<Estimate> cached(Key key) {
        return Optional.ofNullable(estimates.get(key));
    }

    private synchronized boolean begin(Key key) {
        Estimate estimate = estimates.get(key);
        boolean isFresh = estimate != null && isFresh(estimate.at());
        return !isFresh && pending.size() < MAX_WAITING && pending.add(key);
    }

    /** An estimate of the future is outdated as well: the clock was set back. */
    private boolean isFresh(Instant at) {
        return Duration.between(at, clock.instant()).abs().compareTo(LIFETIME) < 0;
    }

    private synchronized void store(Key key, Estimate estimate) {
        estimates.put(key, estimate);
    }

    private synchronized void end(Key key) {
        pending.remove(key);
    }

    /** Computes and stores an estimate; after an error, too, it may be requested again. */
    private void estimate(Key key, RunConfiguration configuration, List<LabWorker> workers) {
        try {
            store(key, estimate(configuration, workers));
        } finally {
            end(key);
        }
    }

    private Estimate estimate(RunConfiguration configuration, List<LabWorker> workers) {
        Instant now = clock.instant();
        try {
            return new Estimate(phases(configuration, workers).orElse(null), now);
        } catch (RuntimeException failure) {
            if (DatabaseFailureLog.report(failure).isEmpty()) {
                log.error("runtime estimate failed", failure);
            }
            return new Estimate(null, now);
        }
    }

    private Optional<PhaseDurations> phases(
            RunConfiguration configuration, List<LabWorker> workers) {
        PlanCandidate candidate = finder.planCandidate(configuration, workers);
        if (!candidate.isKnown() || candidate.memoryShortage().isPresent()) {
            return Optional.empty();
        }
        double epochSeconds = epochSeconds(candidate);
        return epochSeconds > 0 && epochSeconds < Double.POSITIVE_INFINITY
                ? Optional.of(
                        new PhaseDurations(
                                queue.medianPreparation().orElse(DEFAULT_PREPARATION),
                                epochSeconds))
                : Optional.empty();
    }

    private double epochSeconds(PlanCandidate candidate) {
        return candidate
                .predict(new BiasCorrection(predictions.validated()))
                .forecast()
                .prediction()
                .epochSeconds();
    }
}
