package dev.equipoise.agent.training;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/** Learner of one rank: holds weights and gradient of its replica and computes gradients. */
public interface Learner {

    MemorySegment weights();

    /** Returns the gradient of the last call of {@link #learn}; the next one overwrites it. */
    MemorySegment gradient();

    /** Returns a faster SGD step of the backend, if it has one. */
    Optional<Descent> descent();

    /** Returns the state of dropout's random generator. */
    long dropoutState();

    /** Restores the state of dropout's random generator. */
    void dropoutFrom(long state);

    /** Sets the slowdown and the augmentation of an epoch, counted from 1. */
    void begin(int epoch);

    /**
     * Computes the gradient over some samples at the current weights, and takes the time of the
     * rank's slowdown.
     *
     * @param listener receives each mini-batch of the samples, before its gradient is computed
     * @param progress is told which part of {@link #gradient} is complete, by the calling thread
     *     and at the latest before this method returns
     * @return mean loss of a prediction; 0 without samples
     */
    double learn(int[] order, Slice slice, Consumer<Minibatch> listener, GradientListener progress)
            throws InterruptedException;

    /** Warms up: like {@link #learn}, but only the gradient changes, and nothing listens. */
    void warmUp(int[] order, Slice slice) throws InterruptedException;

    /** Returns the number of samples of the test set. */
    int testSamples();

    /**
     * Evaluates weights on a part of the test set.
     *
     * @throws InterruptedException at the next batch after an interrupt
     */
    Score score(MemorySegment scored, int from, int to) throws InterruptedException;
}
