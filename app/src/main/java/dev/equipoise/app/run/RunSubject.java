package dev.equipoise.app.run;

import dev.equipoise.protocol.RunId;
import org.jspecify.annotations.Nullable;

/**
 * Run without its figures, for comparisons.
 *
 * @param replicas number of replicas in its configuration
 * @param place queue position, from 1; null unless queued, and for a moment after it was queued
 */
public record RunSubject(
        RunId run,
        RunState state,
        long seed,
        int replicas,
        @Nullable Integer place,
        LabeledConfiguration configuration) {}
