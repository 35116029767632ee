package dev.equipoise.app.run;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/**
 * One generation of a run: when it was placed, and who got what.
 *
 * @param id of the event that told it
 */
@Schema(name = "Placement")
record PlacementView(long id, int generation, Instant placedAt, List<RunEvent.PlacedRank> ranks) {

    static PlacementView of(long id, Instant at, RunEvent.Placed placed) {
        return new PlacementView(id, placed.generation(), at, placed.ranks());
    }
}
