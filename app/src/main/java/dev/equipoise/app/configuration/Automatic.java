package dev.equipoise.app.configuration;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The choices that a definition leaves to the service. Until a run is placed, the configuration has
 * valid values in their place.
 *
 * @param choices the fields
 * @param definition definition from which the service chooses; null once it has chosen
 * @param reason reason for the choice; null until it is made
 */
@Schema(name = "RunConfiguration.Automatic")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Automatic(
        List<Choice> choices,
        @Schema(implementation = Object.class) @Nullable ObjectNode definition,
        @Nullable String reason) {

    public Automatic {
        choices = List.copyOf(choices);
    }
}
