package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Looks how the model does on the test set. Each rank takes an equal part, at full speed, and the
 * sums go over all ranks; so all report the same, and none begins the next epoch before the last
 * has finished this one.
 */
final class Evaluation {

    private static final int BATCH = 250;
    private static final int FIGURES = 3;
    private static final int MOST_NUMBERS = 1 << 22;

    private final Dataset test;
    private final int[] order;
    private final int begin;
    private final int end;
    private final Minibatch minibatch;
    private final AllReduce allReduce;

    /** Predictions, hits and losses in float32, which counts exactly up to 16 million. */
    private final MemorySegment sums;

    /**
     * @param positions predictions a sample
     * @param memory what it computes in; must outlive it
     */
    Evaluation(Dataset test, int positions, Channel channel, Arena memory) {
        this.test = test;
        this.order = IntStream.range(0, test.size()).toArray();
        this.begin = boundary(channel.rank(), channel.size());
        this.end = boundary(channel.rank() + 1, channel.size());
        this.minibatch = new Minibatch(test.shape(), positions, batch(test, positions), memory);
        this.allReduce = new RecursiveDoubling(channel, FIGURES, memory);
        this.sums = memory.allocate(JAVA_FLOAT, FIGURES);
    }

    /**
     * The sums over all ranks.
     *
     * @throws InterruptedException when the thread was interrupted, at the next batch
     */
    Score of(Network network) throws InterruptedException {
        Score own = ownScore(network);
        sums.setAtIndex(JAVA_FLOAT, 0, (float) own.predictions());
        sums.setAtIndex(JAVA_FLOAT, 1, (float) own.correct());
        sums.setAtIndex(JAVA_FLOAT, 2, (float) own.lossSum());
        allReduce.sum(sums);
        return new Score(
                (long) sums.getAtIndex(JAVA_FLOAT, 0),
                (long) sums.getAtIndex(JAVA_FLOAT, 1),
                sums.getAtIndex(JAVA_FLOAT, 2));
    }

    private Score ownScore(Network network) throws InterruptedException {
        Score score = Score.NONE;
        int batch = minibatch.capacity();
        for (int from = begin; from < end; from += batch) {
            if (Thread.interrupted()) {
                throw new InterruptedException("looking at the test set");
            }
            test.read(order, from, Math.min(batch, end - from), minibatch);
            score = score.plus(network.score(minibatch));
        }
        return score;
    }

    /** Fewer samples where each is large, or has many labels. */
    private static int batch(Dataset test, int positions) {
        int most = Math.min(BATCH / positions, MOST_NUMBERS / test.shape().size());
        return Math.clamp(most, 1, BATCH);
    }

    private int boundary(int rank, int ranks) {
        return Math.toIntExact((long) rank * test.size() / ranks);
    }
}
