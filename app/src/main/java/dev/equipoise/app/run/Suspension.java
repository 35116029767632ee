package dev.equipoise.app.run;

import jakarta.persistence.Embeddable;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Coming reconfiguration of the current generation.
 *
 * @param regroupBy end of the grace period for ranks that have not reported; null if there is none
 * @param regroupWanted whether the ranks are asked to suspend after an epoch
 */
@Embeddable
record Suspension(@Nullable Instant regroupBy, boolean regroupWanted) {

    static final Suspension NONE = new Suspension(null, false);

    /** Starts the grace period, unless it has started. */
    Suspension startGracePeriod(Instant until) {
        return new Suspension(Objects.requireNonNullElse(regroupBy, until), regroupWanted);
    }

    Suspension withoutGracePeriod() {
        return new Suspension(null, regroupWanted);
    }

    Suspension requested(boolean isWanted) {
        return new Suspension(regroupBy, isWanted);
    }
}
