package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.time.BackgroundThread;
import java.lang.foreign.MemorySegment;

/*
 * Lian and others 2018, Asynchronous decentralized parallel SGD, algorithm 1 (docs/algorithms.md,
 * section 2.5). While a gradient is computed on a copy of the weights, the weights are averaged
 * with a neighbor's; the gradient is then applied to the result. As in the paper's section on
 * deadlocks, ranks are of two kinds: active ones ask, passive ones answer.
 */
/** AD-PSGD: averages the weights with those of a random neighbor while it computes. */
final class AdPsgd implements Synchronizer {

    private final PairwiseAveraging averaging;
    private final SharedWeights shared;
    private final BackgroundThread background;
    private final Stepper stepper;
    private final ReplicaWeight weight;
    private final int roundsPerEpoch;
    private final MemorySegment weights;
    private final Instruments instruments;
    private final ChoiceSource decisions;
    private long versionRead;
    private long round;

    /**
     * @param shared initialized with the weights; the stepper steps its memory
     * @param weight weight of this replica in the mean of all
     * @param weights on which gradients are computed
     */
    AdPsgd(
            PairwiseAveraging averaging,
            SharedWeights shared,
            BackgroundThread background,
            Stepper stepper,
            ReplicaWeight weight,
            int roundsPerEpoch,
            MemorySegment weights,
            Instruments instruments,
            ChoiceSource decisions) {
        this.averaging = averaging;
        this.shared = shared;
        this.background = background;
        this.stepper = stepper;
        this.weight = weight;
        this.roundsPerEpoch = roundsPerEpoch;
        this.weights = weights;
        this.instruments = instruments;
        this.decisions = decisions;
    }

    @Override
    public void beginEpoch(int epoch) {
        round = (epoch - 1L) * roundsPerEpoch;
    }

    @Override
    public void begin() {
        versionRead = shared.copyTo(weights, decisions);
        instruments.end(Phase.APPLY);
        if (averaging.isDue()) {
            background.start(averaging::average);
        } else if (background.isDone()) {
            background.await(); // Throws the failure, if any.
        }
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        if (samples > 0) {
            long version = shared.change(() -> step(gradient), decisions);
            instruments.applied(version - versionRead);
        }
        round++;
        instruments.end(Phase.APPLY);
        if (averaging.isActive()) {
            awaitAveraging();
        }
    }

    private void step(MemorySegment gradient) {
        instruments.stepped(stepper.stepAt(round, gradient, weight.stretch(round)));
    }

    /**
     * Ends a round with its averaging, since a fast rank would otherwise start rounds without any.
     */
    private void awaitAveraging() {
        background.await();
        instruments.end(Phase.WAIT);
        averaging.addTo(instruments);
    }

    @Override
    public void settle() {
        if (averaging.isActive()) {
            background.start(averaging::leave);
        } else if (averaging.isDue()) {
            background.start(averaging::average);
        }
        awaitAveraging();
        shared.copyTo(weights, decisions);
        instruments.end(Phase.APPLY);
    }

    @Override
    public int exchangesPerRound() {
        return 0;
    }
}
