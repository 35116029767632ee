package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.time.Background;
import java.lang.foreign.MemorySegment;

/*
 * Moreno-Alvarez and others 2020, completed as in ALGORITHMS section 5. While a collective is under
 * way a replica goes on with the weights it has, up to a bound, and collects its gradients for the
 * next one. Only one is under way at a time, so that those of all ranks belong together by their
 * order. As weights change by what collectives bring alone, replicas that have applied as many are
 * equal to the bit.
 */
/** Gradients are combined in the background. */
final class BackgroundAllReduce implements Synchronizer {

    private final Contributions contributions;
    private final Background background;
    private final Stepper stepper;
    private final Instruments instruments;
    private final Decisions decisions;
    private final int batches;
    private final int maxStaleness;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();

    /** The gradients that no collective has taken yet, in the measure that contributions want. */
    private final MemorySegment collected;

    private final MemorySegment term;
    private long samplesCollected;
    private boolean isUnderWay;
    private int since;
    private int staleness;

    /**
     * @param batches mini-batches of this rank in a round
     * @param maxStaleness mini-batches on the same weights before a round, at most
     * @param collected zeros, as long as the gradient, as is {@code term}, in which it computes
     */
    BackgroundAllReduce(
            Contributions contributions,
            Background background,
            Stepper stepper,
            Instruments instruments,
            Decisions decisions,
            int batches,
            int maxStaleness,
            MemorySegment collected,
            MemorySegment term) {
        this.contributions = contributions;
        this.background = background;
        this.stepper = stepper;
        this.instruments = instruments;
        this.decisions = decisions;
        this.batches = batches;
        this.maxStaleness = maxStaleness;
        this.collected = collected;
        this.term = term;
    }

    @Override
    public void begin() {
        if (isUnderWay && (since > maxStaleness || decisions.isSo(background::isDone))) {
            apply();
        }
        if (!isUnderWay && samplesCollected > 0) {
            contribute(false);
        }
        staleness = requireWithinBound(since);
    }

    private int requireWithinBound(int batchesOnTheSameWeights) {
        if (batchesOnTheSameWeights > maxStaleness) {
            throw new IllegalStateException(
                    "a round began %d mini-batches late, where no more than %d can be"
                            .formatted(batchesOnTheSameWeights, maxStaleness));
        }
        return batchesOnTheSameWeights;
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        scale.scale(gradient, contributions.isOfMeans() ? samples : 1, term);
        sum.add(collected, 0, term, 0, term.byteSize());
        samplesCollected += samples;
        since += batches;
        instruments.applied(staleness);
        instruments.end(Phase.APPLY);
        if (!isUnderWay) {
            contribute(false);
        }
    }

    /** Ranks that have nothing more to bring go on with the others until none has. */
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
        contributions.tell(instruments);
        isUnderWay = false;
        since = 0;
        if (contributions.areAny()) {
            instruments.stepped(stepper.step(contributions.combined(), 1));
            instruments.end(Phase.APPLY);
        }
    }

    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    /** Nobody waits for anybody, but for who is too far ahead, who knows it. */
    @Override
    public int exchangesPerRound() {
        return 0;
    }
}
