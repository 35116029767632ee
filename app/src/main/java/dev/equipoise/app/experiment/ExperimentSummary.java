package dev.equipoise.app.experiment;

import java.time.Instant;
import java.util.UUID;

/**
 * An experiment in a list, without its definition and its configurations.
 *
 * @param id id of the experiment
 * @param project id of its project
 * @param name name, which no other experiment of the project has
 * @param version version, which increases with each definition of the same name in the project
 * @param configurationCount the number of its runs
 * @param createdAt time of the first version
 */
record ExperimentSummary(
        UUID id,
        UUID project,
        String name,
        int version,
        int configurationCount,
        Instant createdAt) {}
