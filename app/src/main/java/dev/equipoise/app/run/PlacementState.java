package dev.equipoise.app.run;

import dev.equipoise.app.recovery.ResumePoint;
import jakarta.persistence.Embeddable;
import java.time.Instant;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * Current or last generation of a run.
 *
 * @param generation from 1; 0 before the first
 * @param ranks number of ranks; it may be less than the configuration asks for
 * @param hybrid how the ranks share hidden units; null if they do not
 * @param placedAt time of the last placement, for the runtime estimates of later runs
 * @param trainingSince time at which all ranks of the generation were ready; null before
 * @param resumption retained state with which suspended ranks continue; null if they begin
 *     otherwise
 */
@Embeddable
record PlacementState(
        int generation,
        int ranks,
        @JdbcTypeCode(SqlTypes.JSON) @Nullable HybridAllocationView hybrid,
        @Nullable Instant placedAt,
        @Nullable Instant trainingSince,
        @JdbcTypeCode(SqlTypes.JSON) @Nullable ResumePoint resumption) {

    static final PlacementState NONE = new PlacementState(0, 0, null, null, null, null);

    /** Begins a generation with new workers. */
    PlacementState placed(int size, @Nullable HybridAllocationView shared, Instant now) {
        return new PlacementState(generation + 1, size, shared, now, null, null);
    }

    /** Begins a generation in which some ranks continue. */
    PlacementState reconfigured(int size, ResumePoint with) {
        return new PlacementState(generation + 1, size, hybrid, placedAt, null, with);
    }

    PlacementState started(Instant now) {
        return new PlacementState(generation, ranks, hybrid, placedAt, now, resumption);
    }

    /** Returns the generation after it has lost its workers. */
    PlacementState interrupted() {
        return new PlacementState(generation, ranks, hybrid, placedAt, null, null);
    }
}
