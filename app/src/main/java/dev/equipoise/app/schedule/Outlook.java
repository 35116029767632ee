package dev.equipoise.app.schedule;

import dev.equipoise.app.run.QueuePlace;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the runs that wait have to expect. The queue is played forward: each run in its turn gets
 * the workers that are free soonest, and has them for as long as it is expected to last. That none
 * goes before another makes it late rather than early. A long queue in a large lab is not played to
 * its end, as that costs as much as both together: behind some point the work before a run is
 * shared evenly by its workers, which is as good a guess upon so many guesses.
 */
final class Outlook {

    /** So many workers are looked at in all, which takes some tenths of a second. */
    static final int MOST_LOOKED_AT = 200_000;

    private Outlook() {}

    /**
     * A run that waits.
     *
     * @param fitting the workers that may have a part in it
     * @param wanted how many of them; more than there are where it cannot begin as things stand
     * @param length from its placement to its end; null where nobody knows
     */
    record Standing(RunId run, List<LabWorker> fitting, int wanted, @Nullable Duration length) {

        Standing {
            fitting = List.copyOf(fitting);
        }

        private boolean canBegin() {
            return fitting.size() >= wanted;
        }
    }

    /**
     * Plays the queue.
     *
     * @param order of the queue
     * @param horizon of the workers; it is used up
     */
    static Map<RunId, QueuePlace> of(List<Standing> order, Horizon horizon) {
        Map<RunId, QueuePlace> places = new LinkedHashMap<>();
        // It looks at the horizon when it is asked first, and the horizon is not changed from then.
        var coarse = new CoarseOutlook(horizon);
        int left = MOST_LOOKED_AT;
        for (Standing run : order) {
            Instant start = null;
            if (run.canBegin()) {
                left -= run.fitting().size();
                start = left >= 0 ? start(run, horizon) : coarse.start(run);
            }
            places.put(run.run(), new QueuePlace(places.size() + 1, start));
        }
        return places;
    }

    private static @Nullable Instant start(Standing run, Horizon horizon) {
        Reservation seats = horizon.earliest(run.fitting(), run.wanted());
        horizon.occupy(seats.workers(), seats.start(), run.length());
        return seats.isStartKnown() ? seats.start() : null;
    }
}
