package dev.equipoise.agent.link;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.FrameGather;
import dev.equipoise.agent.collective.GroupChannel;
import dev.equipoise.agent.time.Time;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measures sums over the first ranks, of which each makes one and calls it at the same time: over
 * two of them and more, by every algorithm, and of vectors over four decades of lengths.
 */
public final class AllReduceBenchmark {

    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final List<Integer> LENGTHS = List.of(10, 100, 1_000, 10_000, 100_000);

    /** Up to so many ranks each number of them is measured; beyond, powers of two and all. */
    private static final int EACH_UP_TO = 8;

    private static final int WARM_UPS = 3;
    private static final int REPETITIONS = 7;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Channel channel;
    private final Time time;
    private final Arena memory;
    private final Barrier barrier;
    private final MemorySegment vector;

    /**
     * @param memory of which the longest vector is taken, accessible from any thread
     */
    public AllReduceBenchmark(Channel channel, Time time, Arena memory) {
        this.channel = channel;
        this.time = time;
        this.memory = memory;
        this.barrier = new Barrier(channel);
        this.vector = memory.allocate(JAVA_FLOAT, LENGTHS.getLast());
    }

    private record Case(int ranks, Algorithm algorithm, int numbers) {}

    /**
     * What the sums took, equal on all ranks.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    public List<MeasuredAllReduce> measure() {
        List<Case> cases = cases(channel.size());
        double[] own = new double[cases.size()];
        for (int i = 0; i < own.length; i++) {
            // Nobody is silent for longer than one of them takes.
            barrier.await();
            own[i] = seconds(cases.get(i));
        }
        return latest(cases, own);
    }

    private static List<Case> cases(int size) {
        return IntStream.rangeClosed(2, size)
                .filter(ranks ->
                        ranks <= EACH_UP_TO || Integer.bitCount(ranks) == 1 || ranks == size)
                .boxed()
                .flatMap(ranks ->
                        CostModel.CHOICES.stream()
                                .flatMap(algorithm ->
                                        LENGTHS.stream()
                                                .map(numbers ->
                                                        new Case(ranks, algorithm, numbers))))
                .toList();
    }

    /** The median of this rank; 0 where it takes no part. */
    private double seconds(Case wanted) {
        if (channel.rank() >= wanted.ranks()) {
            return 0;
        }
        Channel some =
                new GroupChannel(channel, IntStream.range(0, wanted.ranks()).boxed().toList());
        AllReduce sum = AllReduces.of(wanted.algorithm(), some, wanted.numbers(), time, memory);
        MemorySegment summed = vector.asSlice(0, (long) wanted.numbers() * Float.BYTES);
        var together = new Barrier(some);
        long[] nanos = new long[WARM_UPS + REPETITIONS];
        for (int i = 0; i < nanos.length; i++) {
            together.await();
            long begun = time.nanoTime();
            sum.sum(summed);
            nanos[i] = Math.max(1, time.nanoTime() - begun);
        }
        long[] counted = Arrays.copyOfRange(nanos, WARM_UPS, nanos.length);
        Arrays.sort(counted);
        return counted[REPETITIONS / 2] / NANOS_PER_SECOND;
    }

    /** A sum is over when the last of its ranks has it. */
    private List<MeasuredAllReduce> latest(List<Case> cases, double[] own) {
        long bytes = (long) own.length * Double.BYTES;
        var gather = new FrameGather(channel, bytes, memory);
        for (int i = 0; i < own.length; i++) {
            gather.own().setAtIndex(DOUBLE, i, own[i]);
        }
        gather.gather(Content.PLAIN, bytes);
        List<MeasuredAllReduce> measured = new ArrayList<>();
        for (int i = 0; i < own.length; i++) {
            int index = i;
            double seconds =
                    IntStream.range(0, channel.size())
                            .mapToDouble(rank -> gather.payload(rank).getAtIndex(DOUBLE, index))
                            .max()
                            .orElseThrow();
            Case it = cases.get(i);
            measured.add(new MeasuredAllReduce(it.algorithm(), it.ranks(), it.numbers(), seconds));
        }
        return measured;
    }
}
