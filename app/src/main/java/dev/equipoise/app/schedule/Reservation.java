package dev.equipoise.app.schedule;

import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workers that are reserved for the first blocked run.
 *
 * @param start when all of them are expected to be free; {@link Instant#MAX} if unknown
 */
record Reservation(Set<WorkerId> workers, Instant start) {

    Reservation {
        workers = Set.copyOf(workers);
    }

    /**
     * Whether a run that starts now ends before the reservation starts. False if the start or the
     * runtime is unknown.
     */
    boolean allows(Instant now, @Nullable Duration runtime) {
        return isStartKnown() && runtime != null && !now.plus(runtime).isAfter(start);
    }

    boolean isStartKnown() {
        return !start.equals(Instant.MAX);
    }
}
