package dev.equipoise.app.schedule;

import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workers that are kept for a run.
 *
 * @param start when all of them are expected to be free; {@link Instant#MAX} where nobody knows
 */
record Reservation(Set<WorkerId> workers, Instant start) {

    Reservation {
        workers = Set.copyOf(workers);
    }

    /**
     * Whether a run that gets workers now is over before the one that these are kept for begins. Of
     * one whose length is not known nobody can say so.
     */
    boolean outlasts(Instant now, @Nullable Duration length) {
        return isStartKnown() && length != null && !now.plus(length).isAfter(start);
    }

    boolean isStartKnown() {
        return !start.equals(Instant.MAX);
    }
}
