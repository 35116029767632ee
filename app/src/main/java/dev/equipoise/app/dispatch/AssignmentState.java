package dev.equipoise.app.dispatch;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The state of an assignment, with its transitions:
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
    /** Waits for a lease of its worker. */
    OFFERED,
    /** The worker executes it. */
    LEASED,
    /**
     * The rank is suspended: the worker retains the rank state in memory and stays allocated until
     * the run is reconfigured or restarted.
     */
    PARKED,
    /** The worker has reported the final event. */
    DONE,
    /** Taken from the worker, whose further reports are rejected. */
    REVOKED;

    /** States in which the worker has yet to finish. */
    static final Set<AssignmentState> OPEN =
            Collections.unmodifiableSet(EnumSet.of(OFFERED, LEASED));

    /** States in which the worker is allocated. */
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
