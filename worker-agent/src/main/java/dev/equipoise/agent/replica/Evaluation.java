package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.RingAllReduce;
import dev.equipoise.agent.dataset.Dataset;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Finds the share of the test set that the model gets right. Each rank looks at an equal part, at
 * full speed, and the hits are summed over all ranks; so all report the same accuracy, and none
 * begins the next epoch before the last has finished this one.
 */
final class Evaluation {

    private static final int BATCH = 250;

    private final Dataset test;
    private final int[] order;
    private final int begin;
    private final int end;
    private final Minibatch minibatch;
    private final AllReduce allReduce;

    /** Hits in float32, which counts exactly up to 16 million. */
    private final MemorySegment hits = Arena.ofAuto().allocate(JAVA_FLOAT);

    Evaluation(Dataset test, Channel channel) {
        this.test = test;
        this.order = IntStream.range(0, test.size()).toArray();
        this.begin = boundary(channel.rank(), channel.size());
        this.end = boundary(channel.rank() + 1, channel.size());
        this.minibatch = new Minibatch(test.shape(), test.positions(), BATCH);
        this.allReduce = new RingAllReduce(channel, 1);
    }

    double accuracy(Network network) {
        hits.set(JAVA_FLOAT, 0, ownHits(network));
        allReduce.sum(hits);
        return hits.get(JAVA_FLOAT, 0) / (double) test.size();
    }

    private int ownHits(Network network) {
        int count = 0;
        for (int from = begin; from < end; from += BATCH) {
            test.read(order, from, Math.min(BATCH, end - from), minibatch);
            count += network.correct(minibatch);
        }
        return count;
    }

    private int boundary(int rank, int ranks) {
        return Math.toIntExact((long) rank * test.size() / ranks);
    }
}
