package dev.equipoise.app.schedule;

import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Predicts start times by simulating the queue (Smith, Taylor and Foster 1999). Each run in queue
 * order gets the workers that become free first, for its estimated runtime. The simulation has no
 * backfilling, so that it predicts rather late than early. Its cost grows with queue length times
 * number of workers: beyond {@link #MAX_WORKER_VISITS}, {@link ApproximateStartTimes} continues.
 */
final class StartTimePredictor {

    /** Limit of worker visits in one prediction, which takes some tenths of a second. */
    static final int MAX_WORKER_VISITS = 200_000;

    private StartTimePredictor() {}

    /**
     * A queued run.
     *
     * @param eligible its eligible workers
     * @param wanted number of workers that it needs; more than are eligible if it cannot start now
     * @param length estimated runtime, from placement to end; null if unknown
     */
    record Entry(RunId run, List<LabWorker> eligible, int wanted, @Nullable Duration length) {

        Entry {
            eligible = List.copyOf(eligible);
        }

        private boolean canBegin() {
            return eligible.size() >= wanted;
        }
    }

    /**
     * Simulates the queue.
     *
     * @param order the queued runs in queue order
     * @param availability of the workers; the simulation modifies it
     */
    static Map<RunId, QueuePosition> of(List<Entry> order, AvailabilityProfile availability) {
        Map<RunId, QueuePosition> positions = new LinkedHashMap<>();
        // It reads the availability at its first use; the exact simulation has ended by then.
        var approximate = new ApproximateStartTimes(availability);
        int left = MAX_WORKER_VISITS;
        for (Entry run : order) {
            Instant start = null;
            if (run.canBegin()) {
                left -= run.eligible().size();
                start = left >= 0 ? start(run, availability) : approximate.start(run);
            }
            positions.put(run.run(), new QueuePosition(positions.size() + 1, start));
        }
        return positions;
    }

    private static @Nullable Instant start(Entry run, AvailabilityProfile availability) {
        Reservation earliest = availability.earliest(run.eligible(), run.wanted());
        availability.occupy(earliest.workers(), earliest.start(), run.length());
        return earliest.isStartKnown() ? earliest.start() : null;
    }
}
