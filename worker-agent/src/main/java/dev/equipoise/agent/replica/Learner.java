package dev.equipoise.agent.replica;

import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** What one replica learns with: weights, a gradient, and somebody who computes them. */
interface Learner {

    MemorySegment weights();

    /** What was learnt last; overwritten by the next time. */
    MemorySegment gradient();

    /** Those of the samples that were learnt. */
    Words words();

    /** Where each layer's weights lie. */
    List<ParameterBlock> blocks();

    /** A faster way to make plain steps. */
    Optional<Descent> descent();

    /** What dropout draws next. */
    long dropoutState();

    /** Lets dropout draw from here on. */
    void dropoutFrom(long state);

    /** Is as fast as it should be in an epoch, counted from 1. */
    void begin(int epoch);

    /**
     * Overwrites the gradient by that over some samples, at the present weights; takes as much of
     * the rank's time as it should.
     *
     * @return the mean loss of a prediction; 0 of no samples
     */
    double learn(int[] order, Slice slice) throws InterruptedException;

    /** The same without any effect but on the gradient: what is learnt later is the same. */
    void rehearse(int[] order, Slice slice) throws InterruptedException;

    /** How many samples the test set has. */
    int testSamples();

    /**
     * How well some weights do on a part of the test set.
     *
     * @throws InterruptedException when the thread was interrupted, at the next batch
     */
    Score score(MemorySegment scored, int from, int to) throws InterruptedException;
}
