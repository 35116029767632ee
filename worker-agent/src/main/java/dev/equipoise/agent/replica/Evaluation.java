package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Score;
import dev.equipoise.protocol.AgentEvent.Evaluated;
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

    private final Dataset test;
    private final int[] order;
    private final int begin;
    private final int end;
    private final Minibatch minibatch;
    private final AllReduce allReduce;

    /** Predictions, hits and losses in float32, which counts exactly up to 16 million. */
    private final MemorySegment sums = Arena.ofAuto().allocate(JAVA_FLOAT, FIGURES);

    /**
     * @param positions predictions a sample
     */
    Evaluation(Dataset test, int positions, Channel channel) {
        this.test = test;
        this.order = IntStream.range(0, test.size()).toArray();
        this.begin = boundary(channel.rank(), channel.size());
        this.end = boundary(channel.rank() + 1, channel.size());
        this.minibatch = new Minibatch(test.shape(), positions, Math.max(1, BATCH / positions));
        this.allReduce = new RingAllReduce(channel, FIGURES);
    }

    Evaluated of(Network network) {
        Score own = ownScore(network);
        sums.setAtIndex(JAVA_FLOAT, 0, (float) own.predictions());
        sums.setAtIndex(JAVA_FLOAT, 1, (float) own.correct());
        sums.setAtIndex(JAVA_FLOAT, 2, (float) own.lossSum());
        allReduce.sum(sums);
        double predictions = sums.getAtIndex(JAVA_FLOAT, 0);
        return new Evaluated(
                sums.getAtIndex(JAVA_FLOAT, 1) / predictions,
                sums.getAtIndex(JAVA_FLOAT, 2) / predictions);
    }

    private Score ownScore(Network network) {
        Score score = Score.NONE;
        int batch = minibatch.capacity();
        for (int from = begin; from < end; from += batch) {
            test.read(order, from, Math.min(batch, end - from), minibatch);
            score = score.plus(network.score(minibatch));
        }
        return score;
    }

    private int boundary(int rank, int ranks) {
        return Math.toIntExact((long) rank * test.size() / ranks);
    }
}
