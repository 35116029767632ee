package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.GradientListener;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.agent.time.Throttle;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Computes gradients with a network of its own, at the throttled speed of its rank. */
final class LocalLearner implements Learner {

    private final Gradients gradients;
    private final Network network;
    private final int batches;
    private final IntFunction<Throttle> throttles;
    private Throttle throttle;

    /**
     * @param batches number of mini-batches of a round
     * @param throttles throttles by epoch, from 1
     */
    LocalLearner(Gradients gradients, int batches, IntFunction<Throttle> throttles) {
        this.gradients = gradients;
        this.network = gradients.network();
        this.batches = batches;
        this.throttles = throttles;
        this.throttle = throttles.apply(1);
    }

    @Override
    public MemorySegment weights() {
        return network.parameters();
    }

    @Override
    public MemorySegment gradient() {
        return network.gradient();
    }

    @Override
    public Optional<Descent> descent() {
        return network.descent();
    }

    @Override
    public long dropoutState() {
        return network.dropoutState();
    }

    @Override
    public void dropoutFrom(long state) {
        network.dropoutFrom(state);
    }

    @Override
    public void begin(int epoch) {
        gradients.begin(epoch);
        throttle = throttles.apply(epoch);
    }

    @Override
    public double learn(
            int[] order, Slice slice, Consumer<Minibatch> listener, GradientListener progress) {
        throttle.begin();
        double loss = gradients.compute(order, slice, batches, listener, throttle::rest, progress);
        throttle.end();
        return loss;
    }

    @Override
    public void warmUp(int[] order, Slice slice) {
        long state = network.dropoutState();
        learn(order, slice, _ -> {}, GradientListener.NONE);
        network.dropoutFrom(state);
    }

    @Override
    public int testSamples() {
        return gradients.testSamples();
    }

    /** Swaps the weights with those of the network during the evaluation. */
    @Override
    public Score score(MemorySegment scored, int from, int to) throws InterruptedException {
        if (scored.address() == weights().address()) {
            return gradients.score(from, to);
        }
        swap(scored, weights());
        Score score = gradients.score(from, to);
        swap(scored, weights());
        return score;
    }

    private static void swap(MemorySegment one, MemorySegment other) {
        for (long i = 0; i < one.byteSize(); i += Float.BYTES) {
            float value = one.get(JAVA_FLOAT, i);
            one.set(JAVA_FLOAT, i, other.get(JAVA_FLOAT, i));
            other.set(JAVA_FLOAT, i, value);
        }
    }
}
