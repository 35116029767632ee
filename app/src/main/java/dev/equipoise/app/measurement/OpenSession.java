package dev.equipoise.app.measurement;

import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;

/**
 * An unfinished measurement session.
 *
 * @param workers the workers that have not finished, in rank order
 * @param isPending whether none of them has begun
 */
public record OpenSession(
        MeasurementKind kind, UUID id, List<WorkerId> workers, boolean isPending) {

    public OpenSession {
        workers = List.copyOf(workers);
    }
}
