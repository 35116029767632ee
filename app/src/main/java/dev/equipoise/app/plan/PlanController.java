package dev.equipoise.app.plan;

import dev.equipoise.app.account.Caller;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** The API that predicts and ranks configurations without running them. */
@Tag(name = "Plans")
@RestController
@RequestMapping("/api/v1/plans")
class PlanController {

    private final Planner planner;

    PlanController(Planner planner) {
        this.planner = planner;
    }

    /**
     * Predicts and ranks alternatives to a definition from the profiles of the workers. It stores
     * nothing.
     */
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    Plan createPlan(
            @AuthenticationPrincipal Caller.User caller,
            @RequestBody @Schema(implementation = Object.class) JsonNode body) {
        return planner.plan(caller, PlanRequest.read(body));
    }
}
