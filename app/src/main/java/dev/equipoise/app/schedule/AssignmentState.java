package dev.equipoise.app.schedule;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a worker's part stands.
 *
 * <pre>
 * OFFERED -> LEASED, REVOKED
 * LEASED  -> PARKED, DONE, REVOKED
 * PARKED  -> DONE, REVOKED
 * DONE
 * REVOKED
 * </pre>
 */
enum AssignmentState {
    /** Waits for its worker to fetch it. */
    OFFERED,
    /** The worker has it. */
    LEASED,
    /**
     * The worker does nothing of it any more, but has its run's state in memory, and is kept for
     * that run until it is decided who goes on.
     */
    PARKED,
    /** The worker has said its last word on it. */
    DONE,
    /** Taken away; what the worker still says of it is refused. */
    REVOKED;

    /** The worker is not done with it. */
    static final Set<AssignmentState> OPEN =
            Collections.unmodifiableSet(EnumSet.of(OFFERED, LEASED));

    /** The worker is not free. */
    static final Set<AssignmentState> HELD =
            Collections.unmodifiableSet(EnumSet.of(OFFERED, LEASED, PARKED));

    private static final Map<AssignmentState, Set<AssignmentState>> NEXT =
            new EnumMap<>(AssignmentState.class);

    static {
        NEXT.put(OFFERED, EnumSet.of(LEASED, REVOKED));
        NEXT.put(LEASED, EnumSet.of(PARKED, DONE, REVOKED));
        NEXT.put(PARKED, EnumSet.of(DONE, REVOKED));
        NEXT.put(DONE, EnumSet.noneOf(AssignmentState.class));
        NEXT.put(REVOKED, EnumSet.noneOf(AssignmentState.class));
    }

    boolean mayBecome(AssignmentState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }
}
