package dev.equipoise.agent.instrument;

import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.TrainingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reports the training loss of a rank, about once a second, at a sampling stride. The stride starts
 * such that the run stays within its limit of points, and doubles whenever a second has more than
 * {@value #MAX_AT_ONCE} points. On a virtual clock, which does not tell how often the service gets
 * reports, it reports whenever it has that many points.
 *
 * <p>A round allocates nothing. One thread uses it.
 */
public final class LossCurve {

    static final int MAX_AT_ONCE = 50;

    /**
     * Limit of points of a virtual run, whose ranks all report through one agent as fast as it
     * computes.
     */
    static final long MAX_OF_A_VIRTUAL_RUN = 100_000;

    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MICROSECOND = 1e3;
    private static final double MICROSECONDS_PER_SECOND = 1e6;

    private final int rank;
    private final boolean isVirtual;
    private final long[] steps = new long[MAX_AT_ONCE];
    private final long[] times = new long[MAX_AT_ONCE];
    private final double[] losses = new double[MAX_AT_ONCE];
    private long stride;
    private long step;
    private int count;
    private long latest;
    private long reported;

    public LossCurve(TrainingPlan plan, int rank) {
        this.rank = rank;
        this.isVirtual = !(plan.execution() instanceof Execution.Real);
        long rounds = (long) plan.epochs() * plan.division().rounds() * plan.division().ranks();
        this.stride =
                Math.ceilDiv(
                        rounds, isVirtual ? MAX_OF_A_VIRTUAL_RUN : Observed.MOST_POINTS_OF_A_RUN);
    }

    /** Continues after rounds that were reported before. */
    public void resumeAfter(long rounds) {
        step = rounds;
    }

    /**
     * Adds a round.
     *
     * @param samples samples of this rank; a round without samples has no loss
     * @param nanos training time since the run began, in nanoseconds
     */
    public void round(int samples, double loss, long nanos) {
        step++;
        latest = nanos;
        if (samples == 0 || step % stride != 0) {
            return;
        }
        if (count == MAX_AT_ONCE) {
            doubleStride();
        }
        if (step % stride == 0) {
            steps[count] = step;
            times[count] = nanos;
            losses[count] = loss;
            count++;
        }
    }

    /** Reports the collected points when they are due. */
    public void reportIfDue(Consumer<RunReport> listener) {
        if (isVirtual ? count == MAX_AT_ONCE : latest - reported >= PERIOD) {
            report(listener);
        }
    }

    /** Reports the collected points. */
    public void report(Consumer<RunReport> listener) {
        reported = latest;
        if (count == 0) {
            return;
        }
        List<Long> rounds = new ArrayList<>(count);
        List<Double> seconds = new ArrayList<>(count);
        List<Double> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rounds.add(steps[i]);
            seconds.add(Math.round(times[i] / NANOS_PER_MICROSECOND) / MICROSECONDS_PER_SECOND);
            values.add(losses[i]);
        }
        count = 0;
        listener.accept(
                new Observed(rank, Observed.TRAINING_LOSS, stride, rounds, seconds, values, 0));
    }

    /** Doubles the stride and drops every other point, equally on all ranks that are as fast. */
    private void doubleStride() {
        stride *= 2;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (steps[i] % stride == 0) {
                steps[kept] = steps[i];
                times[kept] = times[i];
                losses[kept] = losses[i];
                kept++;
            }
        }
        count = kept;
    }
}
