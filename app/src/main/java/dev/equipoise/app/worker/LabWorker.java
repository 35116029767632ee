package dev.equipoise.app.worker;

import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * A worker as it is known at one moment.
 *
 * @param sees the workers whose cluster members it sees
 */
@Schema(name = "Worker")
public record LabWorker(
        WorkerId id,
        String name,
        WorkerState state,
        HostDescription host,
        Map<String, String> labels,
        String clusterAddress,
        Set<WorkerId> sees,
        Instant joinedAt,
        Instant lastSeenAt) {

    public LabWorker {
        labels = Map.copyOf(labels);
        sees = Set.copyOf(sees);
    }

    /** Whether it bears every label of a selector. */
    public boolean matches(Map<String, String> selector) {
        return labels.entrySet().containsAll(selector.entrySet());
    }
}
