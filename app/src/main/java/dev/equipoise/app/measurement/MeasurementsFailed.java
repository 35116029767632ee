package dev.equipoise.app.measurement;

import java.util.Set;
import java.util.UUID;

/**
 * Measurements failed or were canceled; published in the transaction of the change.
 *
 * @param ids profiles of one session, or one link measurement
 */
public record MeasurementsFailed(Set<UUID> ids) {

    public MeasurementsFailed {
        ids = Set.copyOf(ids);
    }
}
