package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.protocol.Synchronization.Weighting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/*
 * Moreno-Alvarez and others 2020 (docs/algorithms.md, section 5.1). Each round has a sum of its
 * own, which waits in the queue of the background thread until the sums before it are complete. All
 * ranks have the same rounds, so that sums belong together by their order, and every rank knows the
 * weight of its part. Before a round, a replica applies the sums that are complete, and waits for
 * the oldest one only if it has the greatest allowed number in flight.
 *
 * With own steps at once, the weights that a replica ends an epoch with lack the sums that were not
 * complete at its last round. They are awaited, since evaluation needs the channel, and applied in
 * the next epoch.
 */
/** Asynchronous all-reduce with a queue of sums, one for each round. */
final class QueuedAllReduce implements Synchronizer {

    private final QueuedSums sums;
    private final AggregationWeights weights;
    private final BackgroundThread background;
    private final Stepper stepper;
    private final Instruments instruments;
    private final ChoiceSource decisions;
    private final QueueSettings settings;
    private final MemorySegment late;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final Deque<InFlight> inFlight = new ArrayDeque<>();
    private long round;
    private int staleness;
    private boolean isLate;

    /**
     * Settings of the queue.
     *
     * @param weighting of the gradients of a round in its sum
     * @param inFlight most sums in flight, at least 1
     * @param isOwnAtOnce whether own gradients are applied before the sums
     * @param batches number of mini-batches of this rank in a round
     */
    record QueueSettings(Weighting weighting, int inFlight, boolean isOwnAtOnce, int batches) {}

    /** A contribution whose sum is computed in the background. */
    private record InFlight(MemorySegment part, long round) {}

    /**
     * @param late zeros, as long as the gradient; of any length unless own gradients are applied at
     *     once
     */
    QueuedAllReduce(
            QueuedSums sums,
            AggregationWeights weights,
            BackgroundThread background,
            Stepper stepper,
            Instruments instruments,
            ChoiceSource decisions,
            QueueSettings settings,
            MemorySegment late) {
        this.sums = sums;
        this.weights = weights;
        this.background = background;
        this.stepper = stepper;
        this.instruments = instruments;
        this.decisions = decisions;
        this.settings = settings;
        this.late = late;
    }

    /** Registers the state that a rank carries from epoch to epoch. */
    QueuedAllReduce register(RankStateRegistry registry) {
        registry.number(() -> round, it -> round = it);
        if (settings.isOwnAtOnce()) {
            registry.number(() -> isLate ? 1 : 0, it -> isLate = it == 1);
            registry.vector(late);
        }
        return this;
    }

    @Override
    public void begin() {
        applyLate();
        if (inFlight.size() == settings.inFlight()) {
            apply();
        }
        applyComplete();
        staleness = inFlight.size() * settings.batches();
    }

    private void applyLate() {
        if (isLate) {
            stepper.stepAgain(late);
            late.fill((byte) 0);
            isLate = false;
            instruments.end(Phase.APPLY);
        }
    }

    private void applyComplete() {
        while (!inFlight.isEmpty() && decisions.isSo(background::isDone)) {
            apply();
        }
    }

    /** Waits for the oldest sum and applies it. */
    private void apply() {
        InFlight oldest = await();
        if (settings.isOwnAtOnce()) {
            stepper.stepAgain(oldest.part());
        } else {
            instruments.stepped(stepper.stepAt(oldest.round(), oldest.part(), 1));
        }
        sums.release(oldest.part());
        instruments.end(Phase.APPLY);
    }

    private InFlight await() {
        background.await();
        instruments.end(Phase.WAIT);
        return inFlight.removeFirst();
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        long current = round++;
        if (weights.areEmpty(current, current + 1)) {
            return;
        }
        MemorySegment part = sums.acquire();
        double factor = factor(current);
        PlainSum.scaled(scale, gradient, factor, part);
        if (settings.isOwnAtOnce()) {
            instruments.stepped(stepper.stepAt(current, part, 1));
        }
        if (samples > 0) {
            instruments.applied(staleness);
        }
        instruments.end(Phase.APPLY);
        inFlight.add(new InFlight(part, current));
        background.queue(() -> sums.sum(part, factor));
    }

    private double factor(long current) {
        return switch (settings.weighting()) {
            case WEIGHTED -> weights.ofGradient(current);
            case UNWEIGHTED -> weights.ofPlainMean(current);
        };
    }

    @Override
    public void settle() {
        applyComplete();
        while (!inFlight.isEmpty()) {
            if (settings.isOwnAtOnce()) {
                keepLate();
            } else {
                apply();
            }
        }
        sums.addTo(instruments);
    }

    /** Waits for the oldest sum and keeps it for the next epoch. */
    private void keepLate() {
        MemorySegment part = await().part();
        sum.add(late, 0, part, 0, part.byteSize());
        isLate = true;
        sums.release(part);
        instruments.end(Phase.APPLY);
    }

    @Override
    public boolean keepsReplicasEqual() {
        return !settings.isOwnAtOnce();
    }

    /** No exchange blocks a rank that has fewer sums in flight than allowed. */
    @Override
    public int exchangesPerRound() {
        return 0;
    }
}
