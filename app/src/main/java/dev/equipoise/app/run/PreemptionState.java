package dev.equipoise.app.run;

import dev.equipoise.app.recovery.PreemptionRefusal;
import jakarta.persistence.Embeddable;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * Preemptions of a run, and the request for the next one.
 *
 * @param preemptions number of preemptions
 * @param preemptFor run for which the agents are asked to stop; null if they are not
 * @param preemptedBy run for which it was preempted last; null if there was none, or the request
 *     was withdrawn
 * @param refusal last preemption refusal; null if there is none, or a preemption has succeeded
 *     since
 */
@Embeddable
record PreemptionState(
        int preemptions,
        @Nullable UUID preemptFor,
        @Nullable UUID preemptedBy,
        @JdbcTypeCode(SqlTypes.JSON) @Nullable PreemptionRefusal refusal) {

    static final PreemptionState NONE = new PreemptionState(0, null, null, null);

    /**
     * Replaces the request to stop.
     *
     * @param other null to withdraw it
     */
    PreemptionState requested(@Nullable UUID other) {
        return new PreemptionState(preemptions, other, preemptedBy, refusal);
    }

    PreemptionState refused(PreemptionRefusal why) {
        return new PreemptionState(preemptions, null, preemptedBy, why);
    }

    PreemptionState succeeded() {
        return new PreemptionState(preemptions + 1, null, preemptFor, null);
    }

    /** Returns the number of preemptions alone, after the run has lost its workers otherwise. */
    PreemptionState interrupted() {
        return new PreemptionState(preemptions, null, null, null);
    }
}
