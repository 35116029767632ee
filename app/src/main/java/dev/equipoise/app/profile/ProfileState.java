package dev.equipoise.app.profile;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a profile stands.
 *
 * <pre>
 * PENDING   -> MEASURING, FAILED, CANCELLED
 * MEASURING -> COMPLETE, FAILED, CANCELLED
 * COMPLETE
 * FAILED
 * CANCELLED
 * </pre>
 */
public enum ProfileState {
    /** Asked for; the worker has not begun. */
    PENDING,
    /** The worker measures. */
    MEASURING,
    /** All points are there. */
    COMPLETE,
    /** The worker could not measure, or was lost. */
    FAILED,
    /** Somebody has given it up, or a worker that measured at the same time has failed. */
    CANCELLED;

    private static final Map<ProfileState, Set<ProfileState>> NEXT =
            new EnumMap<>(ProfileState.class);

    static {
        NEXT.put(PENDING, EnumSet.of(MEASURING, FAILED, CANCELLED));
        NEXT.put(MEASURING, EnumSet.of(COMPLETE, FAILED, CANCELLED));
        NEXT.put(COMPLETE, EnumSet.noneOf(ProfileState.class));
        NEXT.put(FAILED, EnumSet.noneOf(ProfileState.class));
        NEXT.put(CANCELLED, EnumSet.noneOf(ProfileState.class));
    }

    public boolean mayBecome(ProfileState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    public boolean isTerminal() {
        return NEXT.getOrDefault(this, Set.of()).isEmpty();
    }
}
