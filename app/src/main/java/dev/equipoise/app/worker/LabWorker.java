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
 * @param cordon whether an administrator lets it be given work
 * @param sees the workers whose cluster members it sees
 */
@Schema(name = "Worker")
public record LabWorker(
        WorkerId id,
        String name,
        WorkerState state,
        Cordon cordon,
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

    /** Whether it may be given work, now or when it is done with what it does. */
    public boolean takesWork() {
        return isStaying() && cordon == Cordon.OPEN;
    }

    /** Whether it would take work if nobody had cordoned it off. */
    public boolean wouldTakeWork() {
        return isStaying() && cordon != Cordon.OPEN;
    }

    /** What keeps it from work: its state, or else the word of an administrator. */
    public Object standing() {
        return wouldTakeWork() ? cordon : state;
    }

    private boolean isStaying() {
        return state.isLive() && state != WorkerState.DRAINING;
    }

    /** Whether it bears every label of a selector. */
    public boolean matches(Map<String, String> selector) {
        return labels.entrySet().containsAll(selector.entrySet());
    }
}
