package dev.equipoise.app.run;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which runs of a list are wanted; null and empty for all.
 *
 * @param name part of the experiment's name, in upper or lower case
 * @param tag that a run has
 * @param since queued at or after
 * @param until queued before
 */
record RunFilter(
        @Nullable UUID project,
        @Nullable UUID experiment,
        Set<RunState> states,
        @Nullable String name,
        @Nullable String tag,
        @Nullable Instant since,
        @Nullable Instant until) {

    RunFilter {
        states = Set.copyOf(states);
    }
}
