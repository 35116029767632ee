package dev.equipoise.app.schedule;

import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * When the workers of the lab are expected to be free, as one run after the other is given some.
 * Nothing is known of when a worker will be free whose run has no known length.
 */
final class Horizon {

    private final Instant now;
    private final Map<WorkerId, Instant> freeAt;

    /**
     * Begins.
     *
     * @param freeAt of those that are not free now; {@link Instant#MAX} where nobody knows
     */
    Horizon(Instant now, Map<WorkerId, Instant> freeAt) {
        this.now = now;
        this.freeAt = new HashMap<>(freeAt);
    }

    Instant now() {
        return now;
    }

    /**
     * The workers that would be free soonest, all at once, and of the same the first of these.
     *
     * @param fitting at least as many as are wanted
     */
    Reservation earliest(List<LabWorker> fitting, int wanted) {
        List<WorkerId> soonest =
                fitting.stream()
                        .map(LabWorker::id)
                        .sorted(Comparator.comparing(this::freeAt))
                        .limit(wanted)
                        .toList();
        return new Reservation(
                soonest.stream().collect(Collectors.toSet()),
                soonest.stream().map(this::freeAt).max(Comparator.naturalOrder()).orElse(now));
    }

    /**
     * Gives workers something to do.
     *
     * @param from when they begin; {@link Instant#MAX} where nobody knows
     * @param length null where nobody knows
     */
    void occupy(Collection<WorkerId> workers, Instant from, @Nullable Duration length) {
        Instant end = from.equals(Instant.MAX) || length == null ? Instant.MAX : from.plus(length);
        workers.forEach(worker -> freeAt.put(worker, end));
    }

    /** {@link Instant#MAX} where nobody knows. */
    Instant freeAt(WorkerId worker) {
        return freeAt.getOrDefault(worker, now);
    }
}
