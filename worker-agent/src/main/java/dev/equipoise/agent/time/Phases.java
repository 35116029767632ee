package dev.equipoise.agent.time;

import java.util.EnumMap;
import java.util.Map;

/**
 * Sums the time of each phase of an epoch. The end of one phase is the beginning of the next, so
 * that the phases add up to the wall time by construction. One thread uses it.
 */
public final class Phases {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Time time;
    private final long begun;
    private final Map<Phase, Long> nanos = new EnumMap<>(Phase.class);
    private long last;

    private Phases(Time time) {
        this.time = time;
        this.begun = time.nanoTime();
        this.last = begun;
    }

    /** Begins with the first phase, whichever it turns out to be. */
    public static Phases begin(Time time) {
        return new Phases(time);
    }

    /** What has passed since the previous phase ended was this phase. */
    public void end(Phase phase) {
        long now = time.nanoTime();
        nanos.merge(phase, now - last, Long::sum);
        last = now;
    }

    public double seconds(Phase phase) {
        return nanos.getOrDefault(phase, 0L) / NANOS_PER_SECOND;
    }

    /** From the beginning to the end of the latest phase. */
    public double wallSeconds() {
        return (last - begun) / NANOS_PER_SECOND;
    }
}
