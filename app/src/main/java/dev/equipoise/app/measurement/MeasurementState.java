package dev.equipoise.app.measurement;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The state of a profile or link measurement, with its transitions:
 *
 * <pre>
 * PENDING   -> MEASURING, FAILED, CANCELLED
 * MEASURING -> COMPLETE, FAILED, CANCELLED
 * COMPLETE
 * FAILED
 * CANCELLED
 * </pre>
 */
public enum MeasurementState {
    /** Requested; the worker has not begun. */
    PENDING,
    /** The worker measures. */
    MEASURING,
    /** All requested points are measured. */
    COMPLETE,
    /** The worker could not measure, or was lost. */
    FAILED,
    /** Canceled on request, or with the profile of a co-located worker that failed. */
    CANCELLED;

    /** The states of unfinished measurements. */
    static final Set<MeasurementState> UNFINISHED =
            Collections.unmodifiableSet(EnumSet.of(PENDING, MEASURING));

    private static final Map<MeasurementState, Set<MeasurementState>> NEXT =
            new EnumMap<>(MeasurementState.class);

    static {
        NEXT.put(PENDING, EnumSet.of(MEASURING, FAILED, CANCELLED));
        NEXT.put(MEASURING, EnumSet.of(COMPLETE, FAILED, CANCELLED));
        NEXT.put(COMPLETE, EnumSet.noneOf(MeasurementState.class));
        NEXT.put(FAILED, EnumSet.noneOf(MeasurementState.class));
        NEXT.put(CANCELLED, EnumSet.noneOf(MeasurementState.class));
    }

    public boolean mayBecome(MeasurementState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    public boolean isTerminal() {
        return NEXT.getOrDefault(this, Set.of()).isEmpty();
    }
}
