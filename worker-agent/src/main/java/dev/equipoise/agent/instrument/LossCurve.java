package dev.equipoise.agent.instrument;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.TrainingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells of the loss of a rank's mini-batches, about once a second: of every n-th round, where n
 * begins so that the whole run has no more points than are kept, and doubles whenever there are
 * more than {@value #MOST_AT_ONCE} of them in a second. On a virtual clock, whose seconds say
 * nothing of how often the service hears of them, it tells whenever there are so many.
 *
 * <p>A round allocates nothing. One thread uses it.
 */
public final class LossCurve {

    static final int MOST_AT_ONCE = 50;

    /** All ranks of a virtual run are told of by one agent, as fast as it computes. */
    static final long MOST_OF_A_VIRTUAL_RUN = 100_000;

    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MICROSECOND = 1e3;
    private static final double MICROSECONDS_PER_SECOND = 1e6;

    private final int rank;
    private final boolean isVirtual;
    private final long[] steps = new long[MOST_AT_ONCE];
    private final long[] moments = new long[MOST_AT_ONCE];
    private final double[] losses = new double[MOST_AT_ONCE];
    private long every;
    private long step;
    private int count;
    private long latest;
    private long told;

    public LossCurve(TrainingPlan plan, int rank) {
        this.rank = rank;
        this.isVirtual = !(plan.execution() instanceof Execution.Real);
        long rounds = (long) plan.epochs() * plan.division().rounds() * plan.division().ranks();
        this.every =
                Math.ceilDiv(
                        rounds, isVirtual ? MOST_OF_A_VIRTUAL_RUN : Observed.MOST_POINTS_OF_A_RUN);
    }

    /** So many rounds went before, which are told. */
    public void resumeAfter(long rounds) {
        step = rounds;
    }

    /**
     * A round more.
     *
     * @param samples that count for this rank; a round of none has no loss
     * @param nanos of training since the run began
     */
    public void round(int samples, double loss, long nanos) {
        step++;
        latest = nanos;
        if (samples == 0 || step % every != 0) {
            return;
        }
        if (count == MOST_AT_ONCE) {
            thin();
        }
        if (step % every == 0) {
            steps[count] = step;
            moments[count] = nanos;
            losses[count] = loss;
            count++;
        }
    }

    /** Tells what there is, if it is time for it. */
    public void tellIfDue(Consumer<AgentEvent> listener) {
        if (isVirtual ? count == MOST_AT_ONCE : latest - told >= PERIOD) {
            tell(listener);
        }
    }

    /** Tells what there is. */
    public void tell(Consumer<AgentEvent> listener) {
        told = latest;
        if (count == 0) {
            return;
        }
        List<Long> rounds = new ArrayList<>(count);
        List<Double> seconds = new ArrayList<>(count);
        List<Double> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rounds.add(steps[i]);
            seconds.add(Math.round(moments[i] / NANOS_PER_MICROSECOND) / MICROSECONDS_PER_SECOND);
            values.add(losses[i]);
        }
        count = 0;
        listener.accept(
                new Observed(rank, Observed.TRAINING_LOSS, every, rounds, seconds, values, 0));
    }

    /** Every other point goes: the same on all ranks that are as fast. */
    private void thin() {
        every *= 2;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (steps[i] % every == 0) {
                steps[kept] = steps[i];
                moments[kept] = moments[i];
                losses[kept] = losses[i];
                kept++;
            }
        }
        count = kept;
    }
}
