package dev.equipoise.app.configuration;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A stored experiment.
 *
 * @param id id of the experiment
 * @param project id of its project
 * @param name name, which no other experiment of the project has
 * @param version version, which increases with each definition of the same name in the project
 * @param priority priority of its runs within the project, from -100 to 100; runs with higher ones
 *     start sooner
 * @param definition definition as its author wrote it
 * @param configurations one for each run, with every default written out
 * @param createdAt time of the first version
 * @param definedAt time of this version
 * @param notes notes of all versions; null without notes
 * @param revision grows with each definition and each change of the notes; the {@code ETag} of the
 *     experiment
 */
@Schema(name = "Experiment")
public record StoredExperiment(
        UUID id,
        UUID project,
        String name,
        int version,
        int priority,
        @Schema(implementation = Object.class) JsonNode definition,
        List<RunConfiguration> configurations,
        Instant createdAt,
        Instant definedAt,
        @Nullable Notes notes,
        long revision) {

    public StoredExperiment {
        configurations = List.copyOf(configurations);
    }
}
