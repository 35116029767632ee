package dev.equipoise.app.experiment;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * An experiment as it is stored.
 *
 * @param version grows with each definition of the same name in the project; the {@code ETag} of
 *     the experiment
 * @param priority of its runs among those of the project, from -100 to 100; the higher, the sooner
 * @param definition as its author wrote it
 * @param configurations what matrix and seeds expand to, every default written out
 * @param createdAt when its first version was defined
 * @param definedAt when this version was
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
        Instant definedAt) {

    public StoredExperiment {
        configurations = List.copyOf(configurations);
    }
}
