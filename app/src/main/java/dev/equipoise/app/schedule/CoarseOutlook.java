package dev.equipoise.app.schedule;

import dev.equipoise.app.schedule.Outlook.Standing;
import dev.equipoise.app.worker.LabWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs far behind in the queue have to expect, at a cost that does not grow with the lab: the
 * work before one, in worker-seconds, is shared evenly by the workers that may have a part in it.
 * It begins where the runs before them end. Runs that may not have the same workers do not know of
 * one another.
 */
final class CoarseOutlook {

    private static final double MILLIS = 1000;

    private final Horizon horizon;

    /**
     * By the very list, as lists of a thousand workers cost as much to compare as to play: {@link
     * Fitting} has one for all runs that want the same.
     */
    private final IdentityHashMap<List<LabWorker>, Crowd> crowds = new IdentityHashMap<>();

    /**
     * Begins.
     *
     * @param horizon of the workers when those before have theirs
     */
    CoarseOutlook(Horizon horizon) {
        this.horizon = horizon;
    }

    /** What all runs that may have the same workers have before them. */
    private static final class Crowd {

        private final Instant begin;
        private int workers;
        private double workerMillis;

        /**
         * @param workers of which it is known when they will be free
         * @param begin when they will in the mean
         */
        Crowd(int workers, Instant begin) {
            this.workers = workers;
            this.begin = begin;
        }

        /** Who has no known end, or no known start, keeps its workers as far as anybody knows. */
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

    /** When the next run will begin, at about; null where nobody knows. */
    @Nullable Instant start(Standing run) {
        return crowds.computeIfAbsent(run.fitting(), this::crowd).next(run.wanted(), run.length());
    }

    private Crowd crowd(List<LabWorker> fitting) {
        int known = 0;
        double seconds = 0;
        for (LabWorker worker : fitting) {
            Instant free = horizon.freeAt(worker.id());
            if (!free.equals(Instant.MAX)) {
                known++;
                seconds += Duration.between(horizon.now(), free).toMillis() / MILLIS;
            }
        }
        double mean = known == 0 ? 0 : Math.max(0, seconds / known);
        return new Crowd(known, horizon.now().plusMillis(Math.round(mean * MILLIS)));
    }
}
