package dev.equipoise.app.experiment;

import java.time.Instant;
import java.util.UUID;

/**
 * An experiment in a list, without its definition and its configurations.
 *
 * @param version increases with each definition of the same name in the project
 * @param configurationCount the number of its runs
 */
record ExperimentSummary(
        UUID id,
        UUID project,
        String name,
        int version,
        int configurationCount,
        Instant createdAt) {}
