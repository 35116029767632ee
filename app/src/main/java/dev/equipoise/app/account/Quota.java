package dev.equipoise.app.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;

/**
 * What a project may use at most; null where nothing bounds it.
 *
 * @param replicasAtOnce on workers that train at the same time
 * @param queuedRuns that wait
 * @param workerMinutesAWeek of the last seven days
 * @param storedBytes of all that it has: definitions, runs with their figures, imported studies
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Quota(
        @PositiveOrZero @Nullable Integer replicasAtOnce,
        @PositiveOrZero @Nullable Integer queuedRuns,
        @PositiveOrZero @Nullable Long workerMinutesAWeek,
        @PositiveOrZero @Nullable Long storedBytes) {

    /** Nothing is bounded. */
    public static final Quota NONE = new Quota(null, null, null, null);
}
