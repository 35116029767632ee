package dev.equipoise.app.run;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a run stands. This is the one table of what may follow what:
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
     * Waits for its workers, and says why: for the first ones, or for others after it made room or
     * lost those that it had.
     */
    QUEUED,
    /** All replicas have their workers; none has begun. */
    PLACED,
    /** The agents verify the data and meet over the channel. */
    PREPARING,
    /** The replicas train. */
    RUNNING,
    /** Every rank has trained to the end. */
    COMPLETED,
    /** Something went wrong, and the run says what. */
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

    public boolean isTerminal() {
        return NEXT.getOrDefault(this, Set.of()).isEmpty();
    }
}
