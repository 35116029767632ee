package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.Barrier;
import dev.equipoise.agent.collective.RecursiveDoubling;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Grouping;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.Topology;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/** All-reduce calibration: times the all-reduce of a run before its training. */
public final class AllReduceCalibration {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int WARM_UPS = 5;
    private static final int REPETITIONS = 21;

    /** Limit of further medians: newly started agents become faster. */
    private static final int MAX_REPEATS = 6;

    /** Ratio to the previous median up to which times still become shorter. */
    private static final double STILL_FASTER = 0.8;

    /**
     * Total seconds of the repetitions above which the links are slow, rather than the code cold.
     */
    private static final double LONG_SECONDS = 0.5;

    private AllReduceCalibration() {}

    /**
     * Returns the median seconds of an all-reduce over all ranks with a vector as long as the
     * weights and the plan's codec, after all are ready; under hybrid parallelism, of the sums of a
     * round. Every rank calls it. Excludes the first repetitions, which meet cold caches, small TCP
     * windows and uncompiled code. On a virtual clock all take the same time, and one is enough.
     *
     * @param vector overwritten with zeros, which are summed
     * @return 0 for a single rank, and for topologies without an all-reduce
     */
    public static double sumSeconds(RankContext context, MemorySegment vector) {
        if (context.isAlone()
                || !(context.plan().method().topology() instanceof Topology.AllReduce)) {
            return 0;
        }
        try (Arena memory = Arena.ofShared()) {
            vector.fill((byte) 0);
            Runnable allReduce = allReduce(context.forCalibration(memory), vector);
            var barrier = new Barrier(context.channel());
            if (!(context.plan().execution() instanceof Execution.Real)) {
                return seconds(context, barrier, allReduce);
            }
            for (int i = 0; i < WARM_UPS; i++) {
                seconds(context, barrier, allReduce);
            }
            return settled(
                    () -> median(context, barrier, allReduce),
                    new NumberSum(context.channel(), memory)::sum);
        }
    }

    /**
     * Repeats the measurement until it no longer becomes faster.
     *
     * @param median measures the median seconds of an all-reduce
     * @param sumOfRanks sums over the ranks, so that all stop after the same repetition
     */
    static double settled(DoubleSupplier median, DoubleUnaryOperator sumOfRanks) {
        double seconds = median.getAsDouble();
        double total = sumOfRanks.applyAsDouble(seconds);
        for (int repeat = 0; repeat < MAX_REPEATS && REPETITIONS * total < LONG_SECONDS; repeat++) {
            double before = total;
            seconds = median.getAsDouble();
            total = sumOfRanks.applyAsDouble(seconds);
            if (total > STILL_FASTER * before) {
                break;
            }
        }
        return seconds;
    }

    private static double median(RankContext context, Barrier barrier, Runnable allReduce) {
        return DoubleStream.generate(() -> seconds(context, barrier, allReduce))
                .limit(REPETITIONS)
                .sorted()
                .skip(REPETITIONS / 2)
                .findFirst()
                .orElseThrow();
    }

    /** Sums one number over all ranks, with the same bits on all. */
    private static final class NumberSum {

        private final MemorySegment number;
        private final RecursiveDoubling sum;

        NumberSum(Channel channel, Arena memory) {
            this.number = memory.allocate(JAVA_FLOAT);
            this.sum = new RecursiveDoubling(channel, 1, memory);
        }

        double sum(double own) {
            number.set(JAVA_FLOAT, 0, (float) own);
            sum.sum(number);
            return number.get(JAVA_FLOAT, 0);
        }
    }

    private static Runnable allReduce(RankContext context, MemorySegment vector) {
        Instruments instruments = instruments(context);
        Grouping grouping = context.plan().division().grouping();
        if (grouping == null) {
            VectorAggregator allReduce =
                    new VectorAggregators(context, instruments, Strand.MAIN)
                            .coded(TrafficKind.GRADIENT);
            return () -> allReduce.of(vector, 1);
        }
        var sums = new HybridSums(context, instruments, grouping);
        MemorySegment outputs = context.memory().allocate(JAVA_FLOAT, sums.mostOutputs());
        long perUnit = vector.byteSize() / Float.BYTES / grouping.allUnits();
        int units = grouping.units().get(grouping.positionOf(context.rank()));
        MemorySegment gradient = vector.asSlice(0, perUnit * units * Float.BYTES);
        return () -> {
            sums.inGroup(outputs);
            sums.overGroups(List.of(gradient));
        };
    }

    private static Instruments instruments(RankContext context) {
        return new Instruments(context.time(), context.channel(), 0);
    }

    private static double seconds(RankContext context, Barrier barrier, Runnable allReduce) {
        barrier.await();
        long start = context.time().nanoTime();
        allReduce.run();
        return (context.time().nanoTime() - start) / NANOS_PER_SECOND;
    }
}
