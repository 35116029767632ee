package dev.equipoise.app.run;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * State of a run. This is the only table of allowed transitions:
 *
 * <pre>
 * QUEUED    -> PLACED, FAILED, CANCELLED
 * PLACED    -> QUEUED, PREPARING, FAILED, CANCELLED
 * PREPARING -> QUEUED, PLACED, RUNNING, FAILED, CANCELLED
 * RUNNING   -> QUEUED, PLACED, COMPLETED, FAILED, CANCELLED
 * COMPLETED
 * FAILED
 * CANCELLED
 * </pre>
 */
public enum RunState {
    /**
     * Waits for its workers, with a wait reason: for the first ones, or for others after a
     * preemption or a restart.
     */
    QUEUED,
    /** All ranks have their workers; none has begun. */
    PLACED,
    /** The agents verify the data and connect over the channel (rendezvous). */
    PREPARING,
    /** The ranks train. */
    RUNNING,
    /** Every rank has trained to the end. */
    COMPLETED,
    /** Ended by a failure, which the run records. */
    FAILED,
    /** Stopped by a user. */
    CANCELLED;

    private static final Map<RunState, Set<RunState>> NEXT = new EnumMap<>(RunState.class);

    static {
        NEXT.put(QUEUED, EnumSet.of(PLACED, FAILED, CANCELLED));
        NEXT.put(PLACED, EnumSet.of(QUEUED, PREPARING, FAILED, CANCELLED));
        NEXT.put(PREPARING, EnumSet.of(QUEUED, PLACED, RUNNING, FAILED, CANCELLED));
        NEXT.put(RUNNING, EnumSet.of(QUEUED, PLACED, COMPLETED, FAILED, CANCELLED));
        NEXT.put(COMPLETED, EnumSet.noneOf(RunState.class));
        NEXT.put(FAILED, EnumSet.noneOf(RunState.class));
        NEXT.put(CANCELLED, EnumSet.noneOf(RunState.class));
    }

    public boolean mayBecome(RunState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /**
     * Whether ranks of the current generation may have trained. An upload may overtake the report
     * that its rank is ready, and a rank that is lost never reports it; then the run is PREPARING
     * while others have finished.
     */
    boolean takesUploads() {
        return this == PREPARING || this == RUNNING;
    }

    public boolean isTerminal() {
        return NEXT.getOrDefault(this, Set.of()).isEmpty();
    }
}
