package dev.equipoise.app.run;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Coming reconfiguration of the current generation.
 *
 * @param gracePeriodEnd end of the grace period for ranks that have not reported; null if there is
 *     none
 * @param reconfigurationRequested whether the ranks are asked to suspend after an epoch
 */
@Embeddable
record Suspension(
        @Column(name = "regroup_by") @Nullable Instant gracePeriodEnd,
        @Column(name = "regroup_wanted") boolean reconfigurationRequested) {

    static final Suspension NONE = new Suspension(null, false);

    /** Starts the grace period, unless it has started. */
    Suspension startGracePeriod(Instant until) {
        return new Suspension(
                Objects.requireNonNullElse(gracePeriodEnd, until), reconfigurationRequested);
    }

    Suspension withoutGracePeriod() {
        return new Suspension(null, reconfigurationRequested);
    }

    Suspension requested(boolean isWanted) {
        return new Suspension(gracePeriodEnd, isWanted);
    }
}
