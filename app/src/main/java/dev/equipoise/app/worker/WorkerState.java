package dev.equipoise.app.worker;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The state of a worker, with its transitions:
 *
 * <pre>
 * JOINING  -> IDLE, DRAINING, LOST, LEFT
 * IDLE     -> BUSY, DRAINING, LOST, LEFT, JOINING
 * BUSY     -> IDLE, DRAINING, LOST, LEFT, JOINING
 * DRAINING -> LOST, LEFT, JOINING
 * LOST     -> IDLE, DRAINING, LEFT, JOINING
 * LEFT     -> JOINING
 * </pre>
 *
 * A worker becomes JOINING again when its agent has started again.
 */
public enum WorkerState {
    /** Registered; has sent no heartbeat yet. */
    JOINING,
    /** Ready for work. */
    IDLE,
    /** Has an assignment, or has not asked for work since its last assignment was revoked. */
    BUSY,
    /** Takes no new work and leaves. */
    DRAINING,
    /** Sent no heartbeat for the session timeout; its assignments were revoked. */
    LOST,
    /** Left by itself and may return, or was expelled or removed by an administrator. */
    LEFT;

    private static final Map<WorkerState, Set<WorkerState>> NEXT = new EnumMap<>(WorkerState.class);

    static {
        NEXT.put(JOINING, EnumSet.of(IDLE, DRAINING, LOST, LEFT));
        NEXT.put(IDLE, EnumSet.of(BUSY, DRAINING, LOST, LEFT, JOINING));
        NEXT.put(BUSY, EnumSet.of(IDLE, DRAINING, LOST, LEFT, JOINING));
        NEXT.put(DRAINING, EnumSet.of(LOST, LEFT, JOINING));
        NEXT.put(LOST, EnumSet.of(IDLE, DRAINING, LEFT, JOINING));
        NEXT.put(LEFT, EnumSet.of(JOINING));
    }

    public boolean mayBecome(WorkerState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /** Whether the worker sends heartbeats. */
    public boolean isLive() {
        return switch (this) {
            case JOINING, IDLE, BUSY, DRAINING -> true;
            case LOST, LEFT -> false;
        };
    }
}
