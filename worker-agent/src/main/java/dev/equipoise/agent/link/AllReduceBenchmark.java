package dev.equipoise.agent.link;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.collective.AllReduce;
import dev.equipoise.agent.collective.AllReduces;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.FrameAllGather;
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
 * Times all-reduces over the first 2, 3 and more ranks, by every algorithm, for vectors of 10 to
 * 100,000 numbers. Each rank makes one benchmark and calls it at the same time.
 */
final class AllReduceBenchmark {

    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final List<Integer> LENGTHS = List.of(10, 100, 1_000, 10_000, 100_000);

    /** Group sizes up to this one are all measured; beyond it, powers of two and all ranks. */
    private static final int ALL_SIZES_UP_TO = 8;

    private static final int WARM_UPS = 3;
    private static final int REPETITIONS = 7;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Channel channel;
    private final Time time;
    private final Arena memory;
    private final Barrier barrier;
    private final MemorySegment vector;

    /**
     * @param memory provides the longest vector; accessible from any thread
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
     * Returns the times of the all-reduces, equal on all ranks.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    public List<MeasuredAllReduce> measure() {
        List<Case> cases = cases(channel.size());
        double[] own = new double[cases.size()];
        for (int i = 0; i < own.length; i++) {
            // Bounds the silence of a rank that takes no part to one case.
            barrier.await();
            own[i] = seconds(cases.get(i));
        }
        return latest(cases, own);
    }

    private static List<Case> cases(int size) {
        return IntStream.rangeClosed(2, size)
                .filter(ranks ->
                        ranks <= ALL_SIZES_UP_TO || Integer.bitCount(ranks) == 1 || ranks == size)
                .boxed()
                .flatMap(ranks ->
                        CostModel.CHOICES.stream()
                                .flatMap(algorithm ->
                                        LENGTHS.stream()
                                                .map(numbers ->
                                                        new Case(ranks, algorithm, numbers))))
                .toList();
    }

    /** Returns the median time of this rank, in seconds; 0 if it takes no part. */
    private double seconds(Case measured) {
        if (channel.rank() >= measured.ranks()) {
            return 0;
        }
        Channel group =
                new GroupChannel(channel, IntStream.range(0, measured.ranks()).boxed().toList());
        AllReduce sum =
                AllReduces.of(measured.algorithm(), group, measured.numbers(), time, memory);
        MemorySegment summed = vector.asSlice(0, (long) measured.numbers() * Float.BYTES);
        var barrierOfGroup = new Barrier(group);
        long[] nanos = new long[WARM_UPS + REPETITIONS];
        for (int i = 0; i < nanos.length; i++) {
            barrierOfGroup.await();
            long begun = time.nanoTime();
            sum.sum(summed);
            nanos[i] = Math.max(1, time.nanoTime() - begun);
        }
        long[] counted = Arrays.copyOfRange(nanos, WARM_UPS, nanos.length);
        Arrays.sort(counted);
        return counted[REPETITIONS / 2] / NANOS_PER_SECOND;
    }

    /** Takes the maximum over the ranks: an all-reduce ends when its last rank has the sum. */
    private List<MeasuredAllReduce> latest(List<Case> cases, double[] own) {
        long bytes = (long) own.length * Double.BYTES;
        var gather = new FrameAllGather(channel, bytes, memory);
        for (int i = 0; i < own.length; i++) {
            gather.own().setAtIndex(DOUBLE, i, own[i]);
        }
        gather.gather(PayloadType.PLAIN, bytes);
        List<MeasuredAllReduce> results = new ArrayList<>();
        for (int i = 0; i < own.length; i++) {
            int index = i;
            double seconds =
                    IntStream.range(0, channel.size())
                            .mapToDouble(rank -> gather.payload(rank).getAtIndex(DOUBLE, index))
                            .max()
                            .orElseThrow();
            Case it = cases.get(i);
            results.add(new MeasuredAllReduce(it.algorithm(), it.ranks(), it.numbers(), seconds));
        }
        return results;
    }
}
