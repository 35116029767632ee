package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import jakarta.persistence.Embeddable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * Restarts of a run, and how far it had come at each.
 *
 * @param setbacks number of restarts
 * @param setback failure behind the last restart; null if there was none, or the run was preempted
 *     since
 * @param fruitless restarts and reconfigurations without progress, in a row
 * @param furthest most rounds that the run had trained at one of them
 */
@Embeddable
record Restarts(
        int setbacks,
        @JdbcTypeCode(SqlTypes.JSON) @Nullable RunFailure setback,
        int fruitless,
        long furthest) {

    static final Restarts NONE = new Restarts(0, null, 0, 0);

    /** Adds a reconfiguration after a number of rounds. */
    Restarts reconfigured(long reached) {
        return new Restarts(
                setbacks,
                setback,
                reached > furthest ? 1 : fruitless + 1,
                Math.max(furthest, reached));
    }

    /** Adds a restart after a number of rounds. */
    Restarts restarted(RunFailure why, int withoutProgress, long reached) {
        return new Restarts(setbacks + 1, why, withoutProgress, Math.max(furthest, reached));
    }

    /** Returns the same counts after a preemption, which is the last stop now. */
    Restarts preempted() {
        return new Restarts(setbacks, null, fruitless, furthest);
    }
}
