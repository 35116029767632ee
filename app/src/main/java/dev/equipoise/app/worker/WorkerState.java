package dev.equipoise.app.worker;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a worker stands.
 *
 * <pre>
 * JOINING  -> IDLE, DRAINING, LOST, LEFT
 * IDLE     -> BUSY, DRAINING, LOST, LEFT
 * BUSY     -> IDLE, DRAINING, LOST, LEFT
 * DRAINING -> LOST, LEFT
 * LOST     -> IDLE, DRAINING, LEFT
 * LEFT
 * </pre>
 */
public enum WorkerState {
    /** Registered; its cluster member has not been seen yet. */
    JOINING,
    /** Ready for work. */
    IDLE,
    /** Holds an assignment, or has not asked for work since one was taken from it. */
    BUSY,
    /** Takes nothing new and will leave. */
    DRAINING,
    /** Silent for too long; what it did has been taken from it. */
    LOST,
    /** Gone by its own word, or by an administrator's; it comes back as another worker. */
    LEFT;

    private static final Map<WorkerState, Set<WorkerState>> NEXT = new EnumMap<>(WorkerState.class);

    static {
        NEXT.put(JOINING, EnumSet.of(IDLE, DRAINING, LOST, LEFT));
        NEXT.put(IDLE, EnumSet.of(BUSY, DRAINING, LOST, LEFT));
        NEXT.put(BUSY, EnumSet.of(IDLE, DRAINING, LOST, LEFT));
        NEXT.put(DRAINING, EnumSet.of(LOST, LEFT));
        NEXT.put(LOST, EnumSet.of(IDLE, DRAINING, LEFT));
        NEXT.put(LEFT, EnumSet.noneOf(WorkerState.class));
    }

    public boolean mayBecome(WorkerState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /** Whether the worker is heard from. */
    public boolean isLive() {
        return switch (this) {
            case JOINING, IDLE, BUSY, DRAINING -> true;
            case LOST, LEFT -> false;
        };
    }
}
