package dev.equipoise.agent.instrument;

import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.RunPhases;
import dev.equipoise.protocol.RunReport.PhasesElapsed;
import java.util.EnumMap;
import java.util.Map;

/**
 * Measures the run phases of one rank in one assignment. Exactly one phase runs at any time, so
 * that the phases sum to the elapsed time. One thread uses it.
 */
public final class PhaseClock {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Time time;
    private final boolean isVirtual;
    private final Map<RunPhase, Long> nanos = new EnumMap<>(RunPhase.class);
    private final long start;
    private RunPhase current;
    private long since;

    private PhaseClock(Time time, boolean isVirtual, RunPhase first) {
        this.time = time;
        this.isVirtual = isVirtual;
        this.start = time.nanoTime();
        this.current = first;
        this.since = start;
    }

    /** Starts the rendezvous of a rank. */
    public static PhaseClock start(Time time) {
        return new PhaseClock(time, false, RunPhase.RENDEZVOUS);
    }

    /**
     * Starts the clock of a virtual rank, which counts training alone: the other phases take no
     * virtual time, or none that a real rank would take.
     */
    public static PhaseClock ofTraining(Time virtualTime) {
        return new PhaseClock(virtualTime, true, RunPhase.COORDINATION);
    }

    /** Ends the current phase, and begins the next one. */
    public void enter(RunPhase next) {
        enterAt(next, time.nanoTime());
    }

    /**
     * Ends the current phase, and begins the next one.
     *
     * @param now reading of this clock's time, in nanoseconds, not before the last one
     */
    public void enterAt(RunPhase next, long now) {
        nanos.merge(current, now - since, Long::sum);
        current = next;
        since = now;
    }

    /** Returns the times so far, the current phase included. */
    public PhasesElapsed report(int rank) {
        enter(current);
        double training = seconds(RunPhase.TRAINING);
        return isVirtual
                ? new PhasesElapsed(rank, training, RunPhases.ofTraining(training))
                : new PhasesElapsed(rank, (since - start) / NANOS_PER_SECOND, phases());
    }

    private RunPhases phases() {
        return new RunPhases(
                seconds(RunPhase.RENDEZVOUS),
                seconds(RunPhase.DATA),
                seconds(RunPhase.WARM_UP),
                seconds(RunPhase.RESTORE),
                seconds(RunPhase.CALIBRATION),
                seconds(RunPhase.TRAINING),
                seconds(RunPhase.EVALUATION),
                seconds(RunPhase.CHECKPOINT),
                seconds(RunPhase.COORDINATION));
    }

    private double seconds(RunPhase phase) {
        return nanos.getOrDefault(phase, 0L) / NANOS_PER_SECOND;
    }
}
