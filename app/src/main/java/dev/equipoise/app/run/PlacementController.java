package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Who had which part of a run in each of its generations. */
@RestController
@RequestMapping("/api/v1")
class PlacementController {

    private final RunLog log;

    PlacementController(RunLog log) {
        this.log = log;
    }

    /** The newest generation first, a hundred at most. */
    @Schema(name = "PlacementList")
    record PlacementList(List<PlacementView> items) {}

    /** One generation: when it was placed, and who got what. */
    @Schema(name = "Placement")
    record PlacementView(int generation, Instant placedAt, List<RunEvent.PlacedRank> ranks) {

        static PlacementView of(Instant at, RunEvent.Placed placed) {
            return new PlacementView(placed.generation(), at, placed.ranks());
        }
    }

    @GetMapping("/runs/{id}/placements")
    PlacementList placements(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return new PlacementList(log.placements(caller, RunId.of(id)));
    }
}
