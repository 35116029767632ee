package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.dataset.Slice;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.agent.network.Score;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.agent.time.Pace;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** With a network of its own, at the pace of the machine that it stands for. */
final class LocalLearner implements Learner {

    private final Gradients gradients;
    private final Network network;
    private final Words words;
    private final int batches;
    private final IntFunction<Pace> paces;
    private Pace pace;

    /**
     * @param batches into which a round's samples are cut
     * @param paces by epoch, from 1
     */
    LocalLearner(Gradients gradients, int batches, IntFunction<Pace> paces) {
        this.gradients = gradients;
        this.network = gradients.network();
        this.words = gradients.words();
        this.batches = batches;
        this.paces = paces;
        this.pace = paces.apply(1);
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
    public Words words() {
        return words;
    }

    @Override
    public List<ParameterBlock> blocks() {
        return network.blocks();
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
        pace = paces.apply(epoch);
    }

    @Override
    public double learn(int[] order, Slice slice) {
        pace.begin();
        double loss = gradients.of(order, slice, batches, words, pace::rest);
        pace.end();
        return loss;
    }

    @Override
    public void rehearse(int[] order, Slice slice) {
        long state = network.dropoutState();
        learn(order, slice);
        network.dropoutFrom(state);
    }

    @Override
    public int testSamples() {
        return gradients.testSamples();
    }

    /** Other weights take the place of the network's for so long. */
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
