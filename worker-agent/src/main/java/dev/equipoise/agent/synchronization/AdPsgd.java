package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.time.Background;
import java.lang.foreign.MemorySegment;

/*
 * Lian and others 2018, Asynchronous decentralized parallel SGD, algorithm 1. While a gradient is
 * computed on a copy of the weights, these are averaged with a neighbour's; the gradient is then
 * applied to what they have become. As in the paper's section on deadlocks, ranks are of two kinds:
 * active ones ask, passive ones answer.
 */
/** Each meets a neighbour drawn at random while it computes. */
final class AdPsgd implements Synchronizer {

    private final Meetings meetings;
    private final SharedWeights shared;
    private final Background background;
    private final Stepper stepper;
    private final double stretch;
    private final MemorySegment weights;
    private final Instruments instruments;
    private final Decisions decisions;
    private long versionRead;

    /**
     * @param shared begun with the weights; the stepper steps what it holds
     * @param stretch of the steps of this replica
     * @param weights on which gradients are computed
     */
    AdPsgd(
            Meetings meetings,
            SharedWeights shared,
            Background background,
            Stepper stepper,
            double stretch,
            MemorySegment weights,
            Instruments instruments,
            Decisions decisions) {
        this.meetings = meetings;
        this.shared = shared;
        this.background = background;
        this.stepper = stepper;
        this.stretch = stretch;
        this.weights = weights;
        this.instruments = instruments;
        this.decisions = decisions;
    }

    @Override
    public void begin() {
        versionRead = shared.copyTo(weights, decisions);
        instruments.end(Phase.APPLY);
        if (meetings.beginsAnother()) {
            background.start(meetings::go);
        } else if (background.isDone()) {
            background.await(); // Which tells why, if it has failed.
        }
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        if (samples > 0) {
            long version =
                    shared.change(
                            () -> instruments.stepped(stepper.step(gradient, stretch)), decisions);
            instruments.applied(version - versionRead);
        }
        instruments.end(Phase.APPLY);
        if (meetings.isActive()) {
            end();
        }
    }

    /** A meeting is as long as a round at most, or a fast rank would not meet anybody. */
    private void end() {
        background.await();
        instruments.end(Phase.WAIT);
        meetings.tell(instruments);
    }

    @Override
    public void settle() {
        if (meetings.isActive()) {
            background.start(meetings::leave);
        } else if (meetings.beginsAnother()) {
            background.start(meetings::go);
        }
        end();
        shared.copyTo(weights, decisions);
        instruments.end(Phase.APPLY);
    }

    @Override
    public int exchangesPerRound() {
        return 0;
    }
}
