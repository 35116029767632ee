package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RunFailure;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * Restarts of a run, and how far it had come at each.
 *
 * @param count number of restarts
 * @param failure failure behind the last restart; null if there was none, or the run was preempted
 *     since
 * @param withoutProgress restarts and reconfigurations without progress, in a row
 * @param furthest most rounds that the run had trained at one of them
 */
@Embeddable
record Restarts(
        @Column(name = "setbacks") int count,
        @Column(name = "setback") @JdbcTypeCode(SqlTypes.JSON) @Nullable RunFailure failure,
        @Column(name = "fruitless") int withoutProgress,
        long furthest) {

    static final Restarts NONE = new Restarts(0, null, 0, 0);

    /** Adds a reconfiguration after a number of rounds. */
    Restarts reconfigured(long reached) {
        return new Restarts(
                count,
                failure,
                reached > furthest ? 1 : withoutProgress + 1,
                Math.max(furthest, reached));
    }

    /** Adds a restart after a number of rounds. */
    Restarts restarted(RunFailure why, int restartsWithoutProgress, long reached) {
        return new Restarts(count + 1, why, restartsWithoutProgress, Math.max(furthest, reached));
    }

    /** Returns the same counts after a preemption, which is the last stop now. */
    Restarts preempted() {
        return new Restarts(count, null, withoutProgress, furthest);
    }
}
