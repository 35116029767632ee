package dev.equipoise.app.schedule;

import dev.equipoise.app.schedule.StartTimePredictor.Entry;
import dev.equipoise.app.worker.LabWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Predicts start times of runs far behind in the queue, at a cost that does not grow with the lab.
 * It divides the work ahead of a run, in worker-seconds, evenly among the run's eligible workers,
 * beginning when the exactly simulated runs end. It ignores runs with other eligible workers.
 */
final class ApproximateStartTimes {

    private static final double MILLIS = 1000;

    private final AvailabilityProfile availability;

    /**
     * Keyed by identity: lists of a thousand workers cost as much to compare as to simulate, and
     * {@link EligibleWorkers} returns one list for all runs with the same selector.
     */
    private final IdentityHashMap<List<LabWorker>, WorkerPool> pools = new IdentityHashMap<>();

    /**
     * @param availability of the workers behind the exactly simulated runs
     */
    ApproximateStartTimes(AvailabilityProfile availability) {
        this.availability = availability;
    }

    /** The work ahead of the next run among all runs with the same eligible workers. */
    private static final class WorkerPool {

        private final Instant begin;
        private int workers;
        private double workerMillis;

        /**
         * @param workers number of workers with a known time at which they become free
         * @param begin mean of these times
         */
        WorkerPool(int workers, Instant begin) {
            this.workers = workers;
            this.begin = begin;
        }

        /**
         * The start time of the next run, null if unknown. A run of unknown runtime or start keeps
         * its workers forever.
         */
        @Nullable Instant next(int wanted, @Nullable Duration length) {
            if (wanted > workers) {
                workers = 0;
                return null;
            }
            Instant start = begin.plusMillis(Math.round(workerMillis / workers));
            if (length == null) {
                workers -= wanted;
            } else {
                workerMillis += length.toMillis() * (double) wanted;
            }
            return start;
        }
    }

    /** Approximate start time of the next run in queue order; null if unknown. */
    @Nullable Instant start(Entry run) {
        return pools.computeIfAbsent(run.eligible(), this::pool).next(run.wanted(), run.length());
    }

    private WorkerPool pool(List<LabWorker> eligible) {
        int known = 0;
        double seconds = 0;
        for (LabWorker worker : eligible) {
            Instant free = availability.freeAt(worker.id());
            if (!free.equals(Instant.MAX)) {
                known++;
                seconds += Duration.between(availability.now(), free).toMillis() / MILLIS;
            }
        }
        double mean = known == 0 ? 0 : Math.max(0, seconds / known);
        return new WorkerPool(known, availability.now().plusMillis(Math.round(mean * MILLIS)));
    }
}
