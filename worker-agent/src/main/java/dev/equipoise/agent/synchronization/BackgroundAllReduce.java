package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.SchedulePosition;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.time.BackgroundThread;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/*
 * Moreno-Alvarez and others 2020, completed as in docs/algorithms.md, section 5. While an
 * all-reduce is under way a replica continues with its current weights, up to a bound, and collects
 * its gradients for the next one. Only one is under way at a time, so that those of all ranks
 * belong together by their order. Weights change only by the results, so that replicas that have
 * applied the same number of them are equal to the bit.
 */
/** Overlapped all-reduce: combines gradients in the background. */
final class BackgroundAllReduce implements Synchronizer {

    private final WeightedContributions contributions;
    private final BackgroundThread background;
    private final Stepper stepper;
    private final Instruments instruments;
    private final ChoiceSource decisions;
    private final int batches;
    private final int maxStaleness;
    private final SchedulePosition position;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();

    /**
     * Sum of the gradients that no all-reduce has taken yet, scaled as the contributions require.
     */
    private final MemorySegment collected;

    private final MemorySegment term;
    private long samplesCollected;
    private boolean isUnderWay;
    private int batchesSinceUpdate;
    private int staleness;
    private int currentEpoch = 1;

    /** Samples of this epoch in the sums so far, of all ranks. */
    private long samplesSummed;

    /**
     * @param batches number of mini-batches of this rank in a round
     * @param maxStaleness limit of mini-batches on the same weights before a round
     * @param position of samples in the learning rate schedule
     * @param vectors allocates zeros, as long as the gradient
     */
    BackgroundAllReduce(
            WeightedContributions contributions,
            BackgroundThread background,
            Stepper stepper,
            Instruments instruments,
            ChoiceSource decisions,
            int batches,
            int maxStaleness,
            SchedulePosition position,
            Supplier<MemorySegment> vectors) {
        this.contributions = contributions;
        this.background = background;
        this.stepper = stepper;
        this.instruments = instruments;
        this.decisions = decisions;
        this.batches = batches;
        this.maxStaleness = maxStaleness;
        this.position = position;
        this.collected = vectors.get();
        this.term = vectors.get();
    }

    @Override
    public void beginEpoch(int epoch) {
        currentEpoch = epoch;
        samplesSummed = 0;
    }

    @Override
    public void begin() {
        if (isUnderWay
                && (batchesSinceUpdate > maxStaleness || decisions.isSo(background::isDone))) {
            apply();
        }
        if (!isUnderWay && samplesCollected > 0) {
            contribute(false);
        }
        staleness = requireWithinBound(batchesSinceUpdate);
    }

    private int requireWithinBound(int newStaleness) {
        if (newStaleness > maxStaleness) {
            throw new IllegalStateException(
                    "the staleness of a round is %d mini-batches, above the limit of %d"
                            .formatted(newStaleness, maxStaleness));
        }
        return newStaleness;
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        scale.scale(gradient, contributions.isOfMeans() ? samples : 1, term);
        sum.add(collected, 0, term, 0, term.byteSize());
        samplesCollected += samples;
        batchesSinceUpdate += batches;
        instruments.applied(staleness);
        instruments.end(Phase.APPLY);
        if (!isUnderWay) {
            contribute(false);
        }
    }

    /** Drains all gradients: ranks without gradients take part until no rank has any. */
    @Override
    public void settle() {
        if (isUnderWay) {
            apply();
        }
        do {
            contribute(true);
            apply();
        } while (!contributions.areComplete());
    }

    private void contribute(boolean last) {
        contributions.prepare(collected, samplesCollected, last);
        collected.fill((byte) 0);
        samplesCollected = 0;
        instruments.end(Phase.APPLY);
        background.start(contributions::combine);
        isUnderWay = true;
    }

    private void apply() {
        background.await();
        instruments.end(Phase.WAIT);
        contributions.addTo(instruments);
        isUnderWay = false;
        batchesSinceUpdate = 0;
        if (contributions.samples() > 0) {
            long step = position.step(currentEpoch, samplesSummed);
            samplesSummed += contributions.samples();
            instruments.stepped(stepper.stepAt(step, contributions.combined(), 1));
            instruments.end(Phase.APPLY);
        }
    }

    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    /** No exchange blocks a rank that is within the staleness bound. */
    @Override
    public int exchangesPerRound() {
        return 0;
    }
}
