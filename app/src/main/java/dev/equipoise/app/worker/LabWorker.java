package dev.equipoise.app.worker;

import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A worker as it is known at one moment.
 *
 * @param cordon whether an administrator lets it be given work
 * @param agentVersion null where its agent does not tell
 * @param sees the workers whose cluster members it sees
 * @param load how many threads of all programs on its host were at work or ready for it, on average
 *     over the minute before it was last seen; null where its system does not tell
 * @param coolingUntil before which it is given no work, as it has failed at some; null where it may
 *     be
 */
@Schema(name = "Worker")
public record LabWorker(
        WorkerId id,
        String name,
        WorkerState state,
        Cordon cordon,
        HostDescription host,
        @Nullable SoftwareVersion agentVersion,
        Map<String, String> labels,
        String clusterAddress,
        Set<WorkerId> sees,
        @Nullable Double load,
        @Nullable Instant coolingUntil,
        Instant joinedAt,
        Instant lastSeenAt) {

    public LabWorker {
        labels = Map.copyOf(labels);
        sees = Set.copyOf(sees);
    }

    /** Whose agent and host do not tell their version and load, and which has not failed. */
    public LabWorker(
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
        this(
                id,
                name,
                state,
                cordon,
                host,
                null,
                labels,
                clusterAddress,
                sees,
                null,
                null,
                joinedAt,
                lastSeenAt);
    }

    /** As it is known at a moment at which it may have cooled down. */
    LabWorker at(Instant now) {
        return coolingUntil == null || coolingUntil.isAfter(now)
                ? this
                : new LabWorker(
                        id,
                        name,
                        state,
                        cordon,
                        host,
                        agentVersion,
                        labels,
                        clusterAddress,
                        sees,
                        load,
                        null,
                        joinedAt,
                        lastSeenAt);
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
