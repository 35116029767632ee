package dev.equipoise.app.experiment;

import java.time.Instant;
import java.util.UUID;

/**
 * An experiment as lists tell of it: without its definition and what that expands to.
 *
 * @param version grows with each definition of the same name in the project
 * @param configurationCount how many runs it stands for
 */
record ExperimentSummary(
        UUID id,
        UUID project,
        String name,
        int version,
        int configurationCount,
        Instant createdAt) {}
