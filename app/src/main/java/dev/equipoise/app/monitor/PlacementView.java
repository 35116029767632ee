package dev.equipoise.app.monitor;

import dev.equipoise.app.run.RunEvent;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/**
 * Placement of one generation of a run.
 *
 * @param id id of the event that recorded it
 * @param generation generation of the run, from 1
 * @param placedAt time of the placement
 * @param ranks ranks with their workers
 */
@Schema(name = "Placement")
record PlacementView(long id, int generation, Instant placedAt, List<RunEvent.PlacedRank> ranks) {

    static PlacementView of(long id, Instant at, RunEvent.Placed placed) {
        return new PlacementView(id, placed.generation(), at, placed.ranks());
    }
}
