package dev.equipoise.app.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a project; null for no limit.
 *
 * @param replicasAtOnce replicas in training at the same time
 * @param queuedRuns runs in the queue
 * @param workerMinutesAWeek worker-minutes in the last seven days
 * @param storedBytes bytes of definitions, runs with their figures and models, and imported studies
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Quota(
        @PositiveOrZero @Nullable Integer replicasAtOnce,
        @PositiveOrZero @Nullable Integer queuedRuns,
        @PositiveOrZero @Nullable Long workerMinutesAWeek,
        @PositiveOrZero @Nullable Long storedBytes) {

    /** No limits. */
    public static final Quota NONE = new Quota(null, null, null, null);
}
