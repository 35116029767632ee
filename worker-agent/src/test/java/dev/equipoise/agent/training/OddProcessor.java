package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Learner on a processor that rounds otherwise than others: before each gradient all weights move
 * to the next larger float32, as if the step before had rounded them up.
 */
record OddProcessor(Learner real) implements Learner {

    @Override
    public MemorySegment weights() {
        return real.weights();
    }

    @Override
    public MemorySegment gradient() {
        return real.gradient();
    }

    @Override
    public Optional<Descent> descent() {
        return real.descent();
    }

    @Override
    public long dropoutState() {
        return real.dropoutState();
    }

    @Override
    public void dropoutFrom(long state) {
        real.dropoutFrom(state);
    }

    @Override
    public void begin(int epoch) {
        real.begin(epoch);
    }

    @Override
    public double learn(
            int[] order, Slice slice, Consumer<Minibatch> listener, GradientListener progress)
            throws InterruptedException {
        MemorySegment weights = weights();
        for (long i = 0; i < weights.byteSize(); i += Float.BYTES) {
            weights.set(JAVA_FLOAT, i, Math.nextUp(weights.get(JAVA_FLOAT, i)));
        }
        return real.learn(order, slice, listener, progress);
    }

    @Override
    public void warmUp(int[] order, Slice slice) throws InterruptedException {
        real.warmUp(order, slice);
    }

    @Override
    public int testSamples() {
        return real.testSamples();
    }

    @Override
    public Score score(MemorySegment scored, int from, int to) throws InterruptedException {
        return real.score(scored, from, to);
    }
}
