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
 * The expected time at which each worker becomes free, updated as runs take workers (Mu'alem and
 * Feitelson 2001). {@link Instant#MAX} stands for an unknown time.
 */
final class AvailabilityProfile {

    private final Instant now;
    private final Map<WorkerId, Instant> freeAt;

    /**
     * @param freeAt times of the workers that are not free now
     */
    AvailabilityProfile(Instant now, Map<WorkerId, Instant> freeAt) {
        this.now = now;
        this.freeAt = new HashMap<>(freeAt);
    }

    Instant now() {
        return now;
    }

    /**
     * Reserves the workers that become free first, in the given order among equals.
     *
     * @param eligible at least {@code wanted} workers
     */
    Reservation earliest(List<LabWorker> eligible, int wanted) {
        List<WorkerId> soonest =
                eligible.stream()
                        .map(LabWorker::id)
                        .sorted(Comparator.comparing(this::freeAt))
                        .limit(wanted)
                        .toList();
        return new Reservation(
                soonest.stream().collect(Collectors.toSet()),
                soonest.stream().map(this::freeAt).max(Comparator.naturalOrder()).orElse(now));
    }

    /**
     * Occupies workers.
     *
     * @param from when they begin; {@link Instant#MAX} if unknown
     * @param runtime null if unknown
     */
    void occupy(Collection<WorkerId> workers, Instant from, @Nullable Duration runtime) {
        Instant end =
                from.equals(Instant.MAX) || runtime == null ? Instant.MAX : from.plus(runtime);
        workers.forEach(worker -> freeAt.put(worker, end));
    }

    Instant freeAt(WorkerId worker) {
        return freeAt.getOrDefault(worker, now);
    }
}
